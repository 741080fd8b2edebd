import type { Bytes } from './reply.js'

/** A member of a sorted set. */
export interface Ranked {
  readonly member: Bytes
  readonly score: number
}

/** A range of scores; a limit that is exclusive does not belong to it. */
export interface ScoreRange {
  readonly min: number
  readonly max: number
  readonly minExclusive: boolean
  readonly maxExclusive: boolean
}

/** Members in the order of their scores; those of one score in the order of their bytes. */
export class SortedSet {
  readonly #scores = new Map<Bytes, number>()
  readonly #ranked: Ranked[] = []

  get size(): number {
    return this.#ranked.length
  }

  /** All members, lowest first. */
  get ranked(): readonly Ranked[] {
    return this.#ranked
  }

  scoreOf(member: Bytes): number | undefined {
    return this.#scores.get(member)
  }

  set(member: Bytes, score: number): void {
    this.delete(member)
    this.#scores.set(member, score)
    this.#ranked.splice(this.#placeOf({ member, score }), 0, { member, score })
  }

  delete(member: Bytes): boolean {
    const score = this.#scores.get(member)
    if (score === undefined) return false
    this.#scores.delete(member)
    this.#ranked.splice(this.#placeOf({ member, score }), 1)
    return true
  }

  /** The members with scores in a range, lowest first. */
  within({ min, max, minExclusive, maxExclusive }: ScoreRange): readonly Ranked[] {
    return this.#ranked.filter(
      ({ score }) =>
        (minExclusive ? score > min : score >= min) && (maxExclusive ? score < max : score <= max),
    )
  }

  copy(): SortedSet {
    const copy = new SortedSet()
    for (const { member, score } of this.#ranked) copy.set(member, score)
    return copy
  }

  /** Where a member is, or would be. */
  #placeOf(sought: Ranked): number {
    let [low, high] = [0, this.#ranked.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (comesBefore(this.#ranked[middle] as Ranked, sought)) low = middle + 1
      else high = middle
    }
    return low
  }
}

function comesBefore(one: Ranked, other: Ranked): boolean {
  return one.score < other.score || (one.score === other.score && one.member < other.member)
}
