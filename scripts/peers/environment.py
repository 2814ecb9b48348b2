"""The scratch environment of scripts/compare_peers: packages of the registries, compiled sides, processes that answer, the machine."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
# What each peer is installed as, and the module that tells whether it is there.
PACKAGES = {
    "Pinocchio": (["pin", "cmeel-eigen"], "pinocchio"),
    "MuJoCo": (["mujoco"], "mujoco"),
    "Drake": (["drake"], "pydrake"),
    "Exudyn": (["exudyn", "scipy"], "exudyn"),
    "SciPy": (["scipy"], "scipy"),
}
# Definitions that the wheel's own CMake file asks for.
DEFINITIONS = ["BOOST_MPL_LIMIT_LIST_SIZE=30", "BOOST_MPL_LIMIT_VECTOR_SIZE=30", "BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
               "BOOST_FUSION_INVOKE_MAX_ARITY=12", "NDEBUG"]


class Missing(Exception):
    """A peer that cannot be had, with the reason."""


class Environment:
    def __init__(self, folder, offline=False):
        self.folder, self.offline = pathlib.Path(folder).resolve(), offline
        self.python = self.folder / "venv/bin/python"
        if not self.python.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            subprocess.run([sys.executable, "-m", "venv", self.folder / "venv"], check=True)

    def has(self, module):
        return subprocess.run([self.python, "-c", f"import {module}"], capture_output=True).returncode == 0

    def install(self, peer):
        """Sees that `peer` is there; says why it is not."""
        packages, module = PACKAGES[peer]
        if self.has(module):
            return
        if self.offline:
            raise Missing(f"{peer} is not in {self.folder} and --offline was asked for")
        print(f"installing {' '.join(packages)}", file=sys.stderr, flush=True)
        command = [self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        done = subprocess.run(command, capture_output=True, text=True)
        if not self.has(module):
            why = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["pip failed"]
            raise Missing(f"{peer} cannot be installed: {why[-1].removeprefix('ERROR: ')}")

    def version(self, package):
        code = f"import importlib.metadata as m; print(m.version({package!r}))"
        return subprocess.run([self.python, "-c", code], capture_output=True, text=True).stdout.strip()

    def prefix(self):
        """Where the wheels of Pinocchio and Eigen put their headers."""
        found = list((self.folder / "venv/lib").glob("python*/site-packages/cmeel.prefix"))
        if not found:
            raise Missing("Pinocchio's wheel has no headers here")
        return found[0]

    def compile_pinocchio(self, flags):
        """Pinocchio's side with these flags; compiled anew when source, flags or wheel change."""
        self.install("Pinocchio")
        compiler = shutil.which("g++") or shutil.which("clang++")
        if compiler is None:
            raise Missing("Pinocchio's side wants a C++ compiler (Debian package: g++)")
        program = self.folder / f"pinocchio{''.join(flags)}"
        source, stamp = HERE / "pinocchio.cpp", program.with_suffix(".stamp")
        key = f"{self.version('pin')} {flags} {source.read_text()}"
        if program.exists() and stamp.exists() and stamp.read_text() == key:
            return program
        print(f"compiling {source.name} {' '.join(flags)} (minutes)", file=sys.stderr, flush=True)
        include = self.prefix() / "include"
        words = [compiler, *flags, "-std=c++17", "-w", *(f"-D{word}" for word in DEFINITIONS)]
        words += ["-isystem", include, "-isystem", include / "eigen3", source, "-o", program]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            raise Missing(f"Pinocchio's side does not compile: {done.stderr.splitlines()[0]}")
        stamp.write_text(key)
        return program

    def calculix(self):
        """Program and environment of CalculiX: that of the machine, or Debian's package unpacked here."""
        if shutil.which("ccx"):
            return shutil.which("ccx"), dict(os.environ)
        place = self.folder / "calculix"
        if not list(place.rglob("bin/ccx*")):
            self.unpack(place)
        programs = sorted(place.rglob("bin/ccx*"))
        if not programs:
            raise Missing("CalculiX: the package has no program ccx")
        libraries = sorted({str(path.parent) for path in place.rglob("*.so*")})
        return str(programs[0]), {**os.environ, "LD_LIBRARY_PATH": ":".join(libraries)}

    def unpack(self, place):
        if self.offline or not (shutil.which("apt-get") and shutil.which("dpkg")):
            raise Missing("CalculiX: no program ccx (Debian package: calculix-ccx), and no apt-get to fetch it with")
        print("fetching calculix-ccx", file=sys.stderr, flush=True)
        place.mkdir(parents=True, exist_ok=True)
        # In no registry of Python: Debian's package with all that this machine lacks for it, unpacked, not installed.
        asked = ["apt-get", "install", "--print-uris", "-qq", "--no-install-recommends", "calculix-ccx"]
        names = re.findall(r"^\S+ ([^_\s]+)_", subprocess.run(asked, capture_output=True, text=True).stdout, re.M)
        done = subprocess.run(["apt-get", "download", "-qq", *names], cwd=place, capture_output=True, text=True)
        packages = list(place.glob("*.deb"))
        if done.returncode or not packages:
            raise Missing(f"CalculiX cannot be fetched: {(done.stderr.strip().splitlines() or ['apt-get failed'])[-1]}")
        for package in packages:
            subprocess.run(["dpkg", "-x", package, place], check=True)


class Peer:
    """A process that answers one JSON line with another, so that what it imports is imported once."""

    def __init__(self, environment, script):
        threads = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
        command = [environment.python, HERE / script]
        self.name, self.errors = script, open(environment.folder / f"{script}.log", "w+")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True, env={**os.environ, **threads}
        )

    def ask(self, request):
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        for line in self.process.stdout:
            if line.startswith("result "):
                return json.loads(line[7:])
        self.errors.seek(0)
        raise Missing(f"{self.name} stopped: {(self.errors.read().strip().splitlines() or ['no word'])[-1]}")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def busy_seconds():
    """Processor seconds of the whole machine since it started, those of its host's other guests included; of these ours."""
    if not os.path.exists("/proc/stat"):
        return None
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, soft, steal = (int(word) for word in file.readline().split()[1:9])
    own = os.times()
    ours = own.user + own.system + own.children_user + own.children_system
    return (user + nice + system + irq + soft + steal) / os.sysconf("SC_CLK_TCK") - ours


class Machine:
    """The machine with its name, and how much of it others took while we measured."""

    def __init__(self):
        self.began, self.busy = time.monotonic(), busy_seconds()

    @staticmethod
    def processor():
        try:
            with open("/proc/cpuinfo") as file:
                names = [line.split(":", 1)[1].strip() for line in file if line.startswith(("model name", "Model", "CPU part"))]
        except OSError:
            names = []
        return names[0] if names else "unknown processor"

    def others(self):
        """Processors that others kept busy, as a mean since the start; None where the system does not tell."""
        now = busy_seconds()
        if now is None:
            return None
        return max(0.0, (now - self.busy) / (time.monotonic() - self.began))

    def describe(self):
        cores = os.cpu_count() or 1
        others = self.others()
        told = "" if others is None else f"; others kept {others:.1f} of its processors busy meanwhile"
        loaded = " (loaded: only ratios of one round mean something)" if others is not None and others > 0.2 else ""
        return f"{self.processor()}, {cores} cores{told}{loaded}"
