import { Latencies } from '../../demo/load/latencies.js'
import type { Sample } from '../client/measure.js'
import type { Figures } from '../outcome.js'

/** What several processes did together. */
export function summaryOf(samples: readonly Sample[]): Figures {
  const sum = (of: (sample: Sample) => number): number => samples.reduce((total, each) => total + of(each), 0)
  const sections = sum((sample) => sample.sections)
  const startedAtMs = Math.min(...samples.map((sample) => sample.startedAtMs))
  const endedAtMs = Math.max(...samples.map((sample) => sample.endedAtMs))
  return {
    perSecond: sections / ((endedAtMs - startedAtMs) / 1000),
    ...waitFigures(samples.flatMap(({ waitsMs }) => waitsMs)),
    cpu: (sum((sample) => sample.cpuMs) / sections) * 1000,
    commands: sum(({ commands = NaN }) => commands) / sections,
    sections,
  }
}

function waitFigures(waitsMs: readonly number[]): Figures {
  const latencies = new Latencies(waitsMs.length)
  for (const waitMs of waitsMs) latencies.add(waitMs)
  const { average, p50, p99, max } = latencies.summary()
  return { waitMean: average, waitP50: p50, waitP99: p99, waitMax: max }
}
