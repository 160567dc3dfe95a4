"""A Slurm of one machine, for one test: its daemons end with it."""
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time


class Unavailable(Exception):
    pass


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Slurm:
    """Starts munged, slurmctld and slurmd below a folder of its own; Unavailable with the reason where it cannot."""

    def __init__(self):
        missing = [p for p in ("munged", "slurmctld", "slurmd", "sbatch") if not shutil.which(p, path=self.path())]
        if missing:
            raise Unavailable(f"not installed: {', '.join(missing)} (Debian: slurm-wlm, munge)")
        if os.getuid() != 0:
            raise Unavailable("its daemons need root")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="o2w-slurm-"))
        self.daemons = []
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    @staticmethod
    def path():
        return os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin"

    def environment(self):
        return {"SLURM_CONF": str(self.folder / "slurm.conf"), "PATH": self.path()}

    def daemon(self, *line):
        log = open(self.folder / f"{line[0]}.out", "wb")
        self.daemons.append(subprocess.Popen(line, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                             env={**os.environ, **self.environment()}))

    def start(self):
        self.folder.chmod(0o755)
        munge = self.folder / "munge"
        munge.mkdir(mode=0o700)
        key = munge / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        public = self.folder / "socket"
        public.mkdir(mode=0o755)
        self.daemon("munged", "--force", "--foreground", f"--key-file={key}", f"--socket={public}/munge",
                    f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        host = socket.gethostname().split(".")[0]
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        (self.folder / "slurm.conf").write_text(f"""ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={public}/munge
CredType=cred/munge
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=100000
MpiDefault=none
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
""")
        time.sleep(0.5)
        self.daemon("slurmctld", "-D", "-c")
        self.daemon("slurmd", "-D", "-N", host)
        self.wait_until_idle()

    def wait_until_idle(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            ended = [d.args[0] for d in self.daemons if d.poll() is not None]
            if ended:
                raise Unavailable(f"{ended[0]} ended: {self.last_words(ended[0])}")
            state = self.run("sinfo", "-h", "-o", "%T").stdout.strip()
            if state == "idle":
                return
            time.sleep(0.3)
        raise Unavailable(f"the node did not come up: {self.last_words('slurmd')}")

    def last_words(self, daemon):
        for name in (f"{daemon}.log", f"{daemon}.out"):
            path = self.folder / name
            lines = path.read_text(errors="replace").strip().splitlines() if path.exists() else []
            bad = [line for line in lines if "error" in line or "fatal" in line]
            if bad or lines:
                return (bad or lines)[-1][:300]
        return "without a word"

    def run(self, *line, env=None):
        return subprocess.run(line, capture_output=True, text=True, env={**os.environ, **self.environment(), **(env or {})})

    def wait(self, job, seconds=300):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            left = self.run("squeue", "-h", "-j", job).stdout.strip()
            if not left:
                return
            time.sleep(0.3)
        raise AssertionError(f"job {job} did not end: {self.run('squeue').stdout}")

    def close(self):
        for daemon in reversed(self.daemons):
            if daemon.poll() is None:
                daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
