import { parseArgs } from 'node:util'
import { MIX_NAMES } from '../../../chaos/random-use/mixes.js'
import * as library from '../../../src/index.js'
import { drawRound, type Round } from '../rounds/draw.js'
import { simulateRound } from '../rounds/round.js'
import { scriptNames } from '../rounds/script-names.js'
import { Server } from '../server/server.js'
import { Recorder } from './recording.js'

/**
 * Simulates rounds of all kinds over servers that stand alone, as the one to compare with does, and prints what has happened at their servers, and
 * whether they had what no two servers have alike: a line of JSON for each.
 */
export async function recordRounds(args: readonly string[]): Promise<void> {
  const options = { seeds: { type: 'string' }, seconds: { type: 'string' } } as const
  const { seeds = '1-1', seconds = '0.5' } = parseArgs({ args: [...args], options }).values
  const [from = 1, to = from] = seeds.split('-').map(Number)
  const names = await scriptNames()
  for (let seed = from; seed <= to; seed += 1)
    for (const mix of MIX_NAMES) {
      const recorder = (Server.monitor = new Recorder())
      const round = comparable(drawRound({ mix, seed, playMs: Number(seconds) * 1_000, topology: 'single' }))
      await simulateRound(round, { library, scriptNames: names })
      const isLeftOut = round.plan.objects.some(({ kind }) => UNLIKE.has(kind))
      const { name } = round
      process.stdout.write(`${JSON.stringify({ name, isLeftOut, recordings: recorder.recordings })}\n`)
    }
}

/** Which elements of a set a server takes, and in which order it lists them, is up to it. Ids of messages have the time of the server. */
const UNLIKE: ReadonlySet<string> = new Set(['set', 'stream', 'topic'])

/** The round without what the server to compare with does not do: it wants no password, and refuses nothing because it is busy. */
function comparable(round: Round): Round {
  const { password: _, refusals: __, ...others } = round.circumstances
  return { ...round, circumstances: { ...others, refusals: {} } }
}
