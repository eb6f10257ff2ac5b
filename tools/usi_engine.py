"""A USI engine that the tools here ask."""
import os
import shutil
import subprocess
import tempfile


class UsiEngine:
    """Started in a folder of its own, where it finds no books and the like, with options as NAME=VALUE."""

    def __init__(self, command, options, stderr=None):
        program, *arguments = command
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [os.path.abspath(shutil.which(program) or program), *arguments], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=stderr, text=True, cwd=self.folder.name)
        self.ask("usi", "usiok")
        for option in options:
            name, _, value = option.partition("=")
            self.send(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, end):
        """Sends a line and returns all answers up to one that begins with `end`."""
        self.send(line)
        answers = []
        while not (answers and answers[-1].startswith(end)):
            answer = self.process.stdout.readline()
            if not answer:
                raise SystemExit(f"error: {self.process.args} ended before '{end}'")
            answers.append(answer)
        return answers

    def quit(self):
        """Ends it and returns what it said on standard error, if that was asked for."""
        return self.process.communicate("quit\n")[1]
