// The way to the server: questions, answers and events over one WebSocket, which is opened again whenever it breaks.
import { language } from './i18n/i18n.js';

/**
 * @typedef {import('./protocol').Answers} Answers
 * @typedef {{ event: string, board?: string, rev?: number, [key: string]: any }} ServerEvent
 */

/** The server refused, or cannot be reached. */
export class PortError extends Error {
  /** @param {string} code @param {string} text @param {string | null} [ja] the same in Japanese */
  constructor(code, text, ja) {
    super(language() === 'ja' && ja ? ja : text);
    this.code = code;
    /** Whether the text is in the reader's language. */
    this.translated = language() !== 'ja' || Boolean(ja);
  }
}

/** Waits between attempts, in milliseconds; the last one repeats. */
const PAUSES = [200, 500, 1000, 2000, 4000];
/** The server takes 64 questions at a time. */
const OPEN_QUESTIONS = 48;

export class Port {
  constructor(url = socketAddress()) {
    this.url = url;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.ready = false;
    this.attempt = 0;
    this.lastId = 0;
    /** @type {Map<number, { resolve: (value: any) => void, reject: (error: PortError) => void }>} */
    this.waiting = new Map();
    /** @type {(() => void)[]} */
    this.queue = [];
    /** @type {Set<(event: ServerEvent) => void>} */
    this.eventListeners = new Set();
    /** @type {Set<(connected: boolean) => void>} */
    this.stateListeners = new Set();
    this.connect();
    addEventListener('online', () => this.hurry());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.hurry();
    });
  }

  connect() {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.attempt = 0;
      this.ready = true;
      for (const listener of this.stateListeners) listener(true);
      this.pump();
    });
    socket.addEventListener('message', (message) => this.receive(JSON.parse(message.data)));
    socket.addEventListener('close', () => {
      if (this.socket === socket) this.lost();
    });
  }

  /** Tries again now instead of after the pause. */
  hurry() {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.connect();
  }

  lost() {
    const was = this.ready;
    this.ready = false;
    const error = new PortError('disconnected', 'disconnected');
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    if (was) for (const listener of this.stateListeners) listener(false);
    const pause = PAUSES[Math.min(this.attempt++, PAUSES.length - 1)];
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.connect();
    }, pause);
  }

  /** @param {any} message */
  receive(message) {
    if (typeof message.event === 'string') {
      for (const listener of this.eventListeners) listener(message);
      return;
    }
    const question = this.waiting.get(message.id);
    if (!question) return;
    this.waiting.delete(message.id);
    if (message.error) question.reject(new PortError(message.error.code, message.error.text, message.error.ja));
    else question.resolve(message.ok);
    this.pump();
  }

  /**
   * Asks the server to do something.
   * @template {keyof Answers} V
   * @param {V} verb
   * @param {Record<string, unknown>} [values]
   * @returns {Promise<Answers[V]>}
   */
  ask(verb, values = {}) {
    return new Promise((resolve, reject) => {
      this.queue.push(() => {
        const id = ++this.lastId;
        this.waiting.set(id, { resolve, reject });
        this.socket?.send(JSON.stringify({ id, do: verb, ...values }));
      });
      this.pump();
    });
  }

  pump() {
    while (this.ready && this.waiting.size < OPEN_QUESTIONS && this.queue.length > 0) this.queue.shift()?.();
  }

  /** @param {(event: ServerEvent) => void} listener @returns {() => void} stops listening */
  onEvent(listener) {
    this.eventListeners.add(listener);
    return () => this.eventListeners.delete(listener);
  }

  /** @param {(connected: boolean) => void} listener @returns {() => void} stops listening */
  onState(listener) {
    this.stateListeners.add(listener);
    return () => this.stateListeners.delete(listener);
  }
}

function socketAddress() {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
}
