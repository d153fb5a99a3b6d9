"""Designs of any size, sound and broken, that the groups measure."""

from __future__ import annotations

from tools.bench.measuring import ROOT

POOL = """\
  - name: pool-{n}
    model: dgx-h100
    count: {count}
    networks:
      - {{fabric: compute, ports: 8, speed: 400 Gbit/s}}
      - {{fabric: storage, ports: 2, speed: 400 Gbit/s}}
"""
JOB = """\
  - name: job-{n}
    runs_on: {{nodes: pool-{n}}}
    model:
      layers: 80
      hidden: 8192
      heads: 64
      kv_heads: 8
      feed_forward: 28672
      gated: true
      norm: rmsnorm
      vocabulary: 128256
      tied_embeddings: false
      sequence: 8192
    precision: bf16
    flash_attention: true
    parallelism:
      tensor: 8
      pipeline: 4
      micro_batch: 1
      global_batch: 512
      zero_stage: 1
      sequence_parallel: true
      recompute: selective
"""

#: What makes a job whole, and one thing to mend in each kind of job.
WHOLE = """\
    data: {{tokens: 2e12, storage: scratch}}
    targets: {{mfu: 38 %, deadline: {deadline}, checkpoint_overhead: 5 %}}
    checkpoint: {{mode: asynchronous, interval: {interval}, tiers: [scratch], keep: 3, sharded: true, stall: 5 s}}
"""
FAULTS = (
    {"tensor: 8": "tensor: 16"},
    {"interval: 30 min": "interval: 20 h"},
    {"global_batch: 512": "global_batch: 510"},
    {"deadline: 4000 days": "deadline: 3 days"},
)


def design(lines: int) -> str:
    """A sound design of about so many lines: every section of the starter, more pools, more jobs."""
    kept = (ROOT / "ontology" / "starter.yaml").read_text("utf-8").count("\n")
    number = max(0, (lines - kept) // (POOL.count("\n") + JOB.count("\n")))
    return fill_starter("".join(JOB.format(n=n) for n in range(number)), number)


def broken() -> str:
    """Twenty-five pools and as many whole jobs, each with one thing to mend."""
    jobs = []
    for n in range(25):
        job = (JOB + WHOLE).format(n=n, deadline="4000 days", interval="30 min")
        for right, wrong in FAULTS[n % len(FAULTS)].items():
            assert right in job
            job = job.replace(right, wrong)
        jobs.append(job)
    return fill_starter("".join(jobs), 25)


def fill_starter(jobs: str, number: int) -> str:
    """The starter with so many pools more, and jobs, and networks and power for them."""
    text = (ROOT / "ontology" / "starter.yaml").read_text("utf-8")
    pools = "".join(POOL.format(n=n, count=2 ** (3 + n % 4)) for n in range(number))
    text = text.replace("utility_power: 300 kW", "utility_power: 60 MW").replace("spines: 4", "spines: 1024")
    text = text.replace("tiers: 2", "tiers: 3").replace("leaves: 8", "leaves: 1024")
    text = text.replace(
        "\nstorage:\n", "\nstorage:\n  - {name: home, kind: nfs, capacity: 100 TB, fabric: management}\n", 1
    )
    return text.replace("\nfabrics:\n", pools + "\nfabrics:\n", 1).replace("\nfacility:\n", jobs + "\nfacility:\n", 1)
