import type { Chance } from '../chance.js'
import type { ConnectFate, Fate } from './message.js'

/** From and below. */
export type Range = readonly [low: number, high: number]

/** How messages travel, and how often something goes wrong. Every probability is of one message, or of one attempt to connect. */
export interface NetworkOptions {
  /**
   * How long a message takes in one direction.
   *
   * @defaultValue [0.1, 0.6]
   */
  readonly latencyMs?: Range
  /**
   * That a message takes longer, by `spikeMs`.
   *
   * @defaultValue 0
   */
  readonly spike?: number
  /** @defaultValue [5, 500] */
  readonly spikeMs?: Range
  /**
   * That commands, or replies, that are written together arrive apart.
   *
   * @defaultValue 0.1
   */
  readonly split?: number
  /**
   * That the connection breaks at a command.
   *
   * @defaultValue 0
   */
  readonly requestCut?: number
  /**
   * That the connection breaks at a reply.
   *
   * @defaultValue 0
   */
  readonly replyCut?: number
  /**
   * That an attempt to connect is refused.
   *
   * @defaultValue 0
   */
  readonly refuse?: number
  /**
   * That there is no reply to an attempt to connect.
   *
   * @defaultValue 0
   */
  readonly hang?: number
  /**
   * What fits through the link of a process and a server in each direction, in bytes a second. Its connections share it.
   *
   * @defaultValue Infinity
   */
  readonly bandwidth?: number
  /**
   * For how long what a client has sent may be under way after it has ended its connection. What takes longer is lost.
   *
   * @defaultValue Infinity
   */
  readonly lingerMs?: number
}

export const DEFAULTS: Required<NetworkOptions> = {
  latencyMs: [0.1, 0.6],
  spike: 0,
  spikeMs: [5, 500],
  split: 0.1,
  requestCut: 0,
  replyCut: 0,
  refuse: 0,
  hang: 0,
  bandwidth: Infinity,
  lingerMs: Infinity,
}

/** The same network in which nothing goes wrong any more. */
export function withoutFaults(options: Required<NetworkOptions>): Required<NetworkOptions> {
  return { ...options, spike: 0, requestCut: 0, replyCut: 0, refuse: 0, hang: 0 }
}

const CUTS = ['cut-before', 'cut-within', 'cut-after'] as const

/** Whether, and where, a connection breaks at a message that has this probability of it. Draws as much as another time. */
export function drawFate(chance: Chance, probability: number): Fate {
  const isCut = chance.chance(probability)
  const cut = chance.pick(CUTS)
  return isCut ? cut : 'deliver'
}

export function drawConnectFate(chance: Chance, { refuse, hang }: Required<NetworkOptions>): ConnectFate {
  const isRefused = chance.chance(refuse)
  const isHanging = chance.chance(hang)
  if (isRefused) return 'refuse'
  return isHanging ? 'hang' : 'accept'
}
