// What the packages use of Node where they run there.
declare module "node:fs/promises" {
  export function readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
}
declare const setImmediate: ((act: () => void) => unknown) | undefined;
