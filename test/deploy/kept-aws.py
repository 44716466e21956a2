"""aws without the time that Python takes to import it, which is half of a second or more at each start.

`kept-aws.py --keep SOCKET` imports it once. `kept-aws.py SOCKET ARGUMENT...` then runs aws in a copy of that
process, with its own arguments, variables, folder and streams.
"""
import json
import os
import socket
import sys


def ask(address, arguments):
    kept = socket.socket(socket.AF_UNIX)
    kept.connect(address)
    text = json.dumps([arguments, os.getcwd(), dict(os.environ)]).encode() + b'\n'
    socket.send_fds(kept, [text[:1]], [0, 1, 2])
    kept.sendall(text[1:])
    return (kept.recv(1) or b'\1')[0]


def keep(address):
    import signal

    import awscli.clidriver
    import awscli.customizations.s3.subcommands

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(64)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print(sys.executable, flush=True)
    while True:
        caller, _ = listener.accept()
        if os.fork() == 0:
            break
        caller.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    text, streams, _, _ = socket.recv_fds(caller, 1 << 16, 3)
    while not text.endswith(b'\n'):
        text += caller.recv(1 << 16)
    arguments, folder, variables = json.loads(text)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.chdir(folder)
    # Importing aws has set where its data is.
    data = os.environ['AWS_DATA_PATH']
    os.environ.clear()
    os.environ.update(variables, AWS_DATA_PATH=data)
    sys.argv = ['aws', *arguments]
    code = awscli.clidriver.main()
    sys.stdout.flush()
    sys.stderr.flush()
    caller.send(bytes([code or 0]))
    os._exit(0)


if sys.argv[1] == '--keep':
    keep(sys.argv[2])
else:
    sys.exit(ask(sys.argv[1], sys.argv[2:]))
