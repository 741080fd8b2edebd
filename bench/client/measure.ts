import { sentCommands } from './sent-commands.js'

/** What a process did while it was measured. Times are milliseconds of the clock that all processes share. */
export interface Sample {
  /** How often something was taken and given back. */
  readonly sections: number
  readonly startedAtMs: number
  readonly endedAtMs: number
  /** How long each waited. */
  readonly waitsMs: readonly number[]
  readonly cpuMs: number
  /** Commands that the process sent, if it can tell. */
  readonly commands?: number
  /** How often there were more inside than there may be, as far as one process can see. */
  readonly tooMany: number
}

/** One of a process that can tell what it sends. */
export interface CountedSample extends Sample {
  readonly commands: number
}

/** Milliseconds of the monotonic clock, which is one for all processes of the machine. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** What goes on while it is measured. */
export interface Tally {
  readonly waitsMs: number[]
  tooMany: number
}

/** Measures this process while something is done; every wait that is noted is a section. */
export async function measure(work: (tally: Tally) => Promise<void>): Promise<CountedSample> {
  const tally: Tally = { waitsMs: [], tooMany: 0 }
  const [cpu, commands, startedAtMs] = [process.cpuUsage(), sentCommands(), nowMs()]
  await work(tally)
  const endedAtMs = nowMs()
  const { user, system } = process.cpuUsage(cpu)
  return {
    sections: tally.waitsMs.length,
    startedAtMs,
    endedAtMs,
    waitsMs: tally.waitsMs,
    cpuMs: (user + system) / 1000,
    commands: sentCommands() - commands,
    tooMany: tally.tooMany,
  }
}
