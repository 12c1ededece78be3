"""Programs that try to get away, to take the machine with them, or to pass without being right.

Each says what must not be said of it: none of them is ever accepted, and none may change what comes after. ``PASSES``
are odd but honest programs, which must be accepted.
"""

from __future__ import annotations

from typing import Final

# Where a test for these programs is a printed word: "secret" is expected and stands nowhere that a program can read.
ESCAPES: Final[dict[str, str]] = {
    # without end
    "endless loop": "while True:\n    pass",
    "sleeps for ever": "import time\ntime.sleep(1000)",
    "loop that swallows interrupts": "while True:\n    try:\n        while True:\n            pass\n"
    "    except BaseException:\n        pass",
    "ignores every signal": "import signal\nfor number in range(1, 65):\n    try:\n"
    "        signal.signal(number, signal.SIG_IGN)\n    except (OSError, ValueError):\n        pass\n"
    "while True:\n    pass",
    "waits for input that never comes": "import os\nread, write = os.pipe()\nos.read(read, 1)",
    "endless thread": "import threading\nthreading.Thread(target=lambda: [None for _ in iter(int, 1)]).start()",
    "endless exit function": "import atexit\n@atexit.register\ndef stay():\n    while True:\n        pass",
    "endless destructor": "class Stay:\n    def __del__(self):\n        while True:\n            pass\nStay()",
    "endless message": "class Stay(Exception):\n    def __str__(self):\n        while True:\n            pass\nraise Stay",
    "stops itself": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    # the machine's resources
    "fork bomb": "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass",
    "thread bomb": "import threading, time\nwhile True:\n    threading.Thread(target=time.sleep, args=(1000,)).start()",
    "memory hog": "held = []\nwhile True:\n    held.append(bytearray(1 << 24))",
    "memory hog in children": "import os, time\nfor _ in range(12):\n    if os.fork() == 0:\n"
    "        held = bytearray(100 << 20)\n        time.sleep(1000)\ntime.sleep(1000)",
    "large number": "print(10 ** 10 ** 9)",
    "large text": "print('x' * (1 << 40))",
    "large list": "[0] * (1 << 36)",
    "disk filler": "with open('filler', 'wb') as file:\n    while True:\n        file.write(bytes(1 << 20))",
    "many files": "number = 0\nwhile True:\n    open(f'file{number}', 'w').close()\n    number += 1",
    "many open files": "held = []\nwhile True:\n    held.append(open('/dev/null'))",
    "endless print": "while True:\n    print('x' * 1000)",
    "endless complaint": "import sys\nwhile True:\n    sys.stderr.write('x' * 1000)",
    "endless recursion": "def f(n):\n    return f(n + 1)\nf(0)",
    "endless recursion, unlimited": "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(n):\n    return f(n + 1)\nf(0)",
    "deep nesting": "eval('(' * 100000 + ')' * 100000)",
    "crash of the interpreter": "import ctypes\nctypes.string_at(0)",
    "abort": "import os\nos.abort()",
    # other processes
    "kills its parent": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
    "kills its group": "import os, signal\nos.killpg(0, signal.SIGKILL)",
    "kills everyone": "import os, signal\nos.kill(-1, signal.SIGKILL)",
    "kills itself": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    "kills pid 1": "import os, signal\nos.kill(1, signal.SIGKILL)",
    "leaves a daemon": "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
    "        time.sleep(1000)\n    os._exit(0)",
    "child that holds standard output": "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', "
    "'import time; time.sleep(1000)'])",
    "child in a session of its own": "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', "
    "'while True: pass'], start_new_session=True)",
    # leaving early
    "leaves with 0": "import sys\nsys.exit(0)",
    "leaves with 3": "import sys\nsys.exit(3)",
    "leaves with a text": "import sys\nsys.exit('goodbye')",
    "leaves at once": "import os\nos._exit(0)",
    "leaves by quit": "quit()",
    "raises an exit": "raise SystemExit",
    "becomes another program": "import os\nos.execv('/bin/true', ['true'])",
    "becomes another interpreter": "import os, sys\nos.execv(sys.executable, [sys.executable, '-c', 'print(1)'])",
    # its own surroundings
    "closes standard output": "import os\nos.close(1)\nprint('x')",
    "closes every descriptor": "import os\nos.closerange(0, 4096)",
    "breaks print": "import builtins\ndel builtins.print\nprint('x')",
    "breaks the modules": "import sys\nsys.modules.clear()\nimport os",
    "deletes its own file": "import os\nos.remove(__file__)",
    "another folder": "import os\nos.mkdir('deep')\nos.chdir('deep')\nos.rmdir('../deep')",
    "takes its rights away": "import os\nos.chmod('.', 0)",
    "not text": "import sys\nsys.stdout.buffer.write(bytes(range(256)))",
    "lone surrogate": "print(chr(0xD800))",
    "warnings as output": "import warnings\nwarnings.warn('secret')",
    # forged words
    "forged traceback": "import sys\nsys.stderr.write('Traceback (most recent call last):\\nKeyError: 1\\n')",
    "forged reports on every descriptor": "import os\nfor number in range(3, 256):\n    try:\n"
    '        os.write(number, b\'["finished"]\\n["passed"]\\n["ended", 0]\\n{"status": 0}\\n\')\n'
    "    except OSError:\n        pass",
    "forged status": "import os\nfor number in range(3, 256):\n    try:\n        os.write(number, "
    'b\'{"status": 0, "seconds": 0, "cpu_seconds": 0, "peak_kib": 0}\\n\')\n    except OSError:\n        pass',
    # looking for the answer
    "looks in the frames": "import sys\nframe = sys._getframe()\nwhile frame:\n"
    "    for value in list(frame.f_globals.values()) + list(frame.f_locals.values()):\n"
    "        if 'secret-' in repr(value)[:100000]:\n            print('secret-answer')\n    frame = frame.f_back",
    "looks in all objects": "import gc\nfor thing in gc.get_objects():\n    try:\n"
    "        if 'secret-' in repr(thing)[:1000] and 'gc.get' not in repr(thing)[:1000]:\n"
    "            print('secret-answer')\n            break\n    except Exception:\n        pass",
}

# Honest, if odd: their output is right, and the interpreter ends well.
PASSES: Final[dict[str, tuple[str, str, str]]] = {
    "plain": ("print(int(input()) + 1)", "1\n", "2"),
    "Chinese": ("print('你好，' + input())", "世界\n", "你好，世界"),
    "emoji": ("print('\\U0001F600' * 3)", "", "😀😀😀"),
    "ten million characters": ("print('x' * 10_000_000)", "", "x" * 10_000_000),
    "input without a last newline": ("print(input(), input())", "a\nb", "a b"),
    "all of standard input": ("import sys\nprint(sum(map(int, sys.stdin.read().split())))", "1 2\n3\n", "6"),
    "lines of standard input": ("import sys\nfor line in sys.stdin:\n    print(line.strip())", "a\nb\n", "a\nb"),
    "input by descriptor": ("print(open(0).read().upper())", "abc", "ABC"),
    "bytes": ("import sys\nsys.stdout.buffer.write(sys.stdin.buffer.readline())", "abc\n", "abc"),
    "no newline at the end": ("print('a', end='')", "", "a"),
    "leaves by exit": ("print('a')\nexit()", "", "a"),
    "main guard": ("if __name__ == '__main__':\n    print('a')", "", "a"),
    "threads": ("import threading\nt = threading.Thread(target=print, args=('a',))\nt.start()\nt.join()", "", "a"),
    "thread that is not joined": ("import threading\nthreading.Timer(0.05, print, ['a']).start()", "", "a"),
    "destructor at the end": ("class A:\n    def __del__(self):\n        print('b')\na = A()\nprint('a')", "", "a\nb"),
    "destructor that uses globals": ("def f():\n    return 'b'\nclass A:\n    def __del__(self):\n        print(f())\n"
                                     "a = A()\nprint('a')", "", "a\nb"),
    "file left open on standard output": ("out = open(1, 'w')\nout.write('a')", "", "a"),
    "other standard output": ("import io, sys\nprint('a')\nsys.stdout = io.StringIO()\nprint('b')", "", "a"),
    "waiting generator": ("def g():\n    try:\n        yield 1\n    finally:\n        print('b')\nx = g()\nnext(x)\n"
                          "print('a')", "", "a\nb"),
    "exit function": ("import atexit\natexit.register(print, 'b')\nprint('a')", "", "a\nb"),
    "recursion": ("import sys\nsys.setrecursionlimit(20000)\ndef f(n):\n    return n and 1 + f(n - 1)\nprint(f(15000))",
                  "", "15000"),
    "files": ("open('a.txt', 'w').write('a')\nprint(open('a.txt').read())", "", "a"),
    "temporary files": ("import tempfile\nwith tempfile.TemporaryFile() as f:\n    print(f.write(b'abc'))", "", "3"),
    "its own file": ("print(open(__file__).readline())", "", "print(open(__file__).readline())"),
    "writes on standard error": ("import sys\nprint('careful', file=sys.stderr)\nprint('a')", "", "a"),
    "a pickle of its own class": ("import pickle\nclass A:\n    b = 1\nprint(pickle.loads(pickle.dumps(A())).b)", "", "1"),
    "a dataclass": ("from dataclasses import dataclass\n@dataclass\nclass A:\n    b: int\nprint(A(1))", "", "A(b=1)"),
    "a child": ("import subprocess, sys\nprint(subprocess.run([sys.executable, '-S', '-c', 'print(7)'], "
                "capture_output=True, text=True).stdout)", "", "7"),
    "carriage returns": ("print('a\\r')\nprint(repr(input()))", "b\r\n", "a\n'b\\r'"),
    "byte order mark": ("\ufeffprint('a')", "", "a"),
}  # fmt: skip
