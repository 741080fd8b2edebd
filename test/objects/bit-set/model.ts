/** What is left of a bit set that was combined with others. */
export interface Combined {
  readonly bits: readonly number[]
  /** How many bytes Redis keeps. */
  readonly bytes: number
}

/** A way to combine bit sets, and what it means. */
export interface Combination {
  readonly name: 'and' | 'or' | 'xor' | 'diff' | 'diffInverse' | 'andOr' | 'setExclusive'
  readonly of: (own: readonly number[], others: readonly (readonly number[])[]) => Combined
}

/** Whether a bit is kept, by whether the bit set has it, and by how many of the others do. */
type Keeps = (isOwn: boolean, count: number, others: number) => boolean

const keeping: Readonly<Record<Combination['name'], Keeps>> = {
  and: (isOwn, count, others) => isOwn && count === others,
  or: (isOwn, count) => isOwn || count > 0,
  xor: (isOwn, count) => (Number(isOwn) + count) % 2 === 1,
  diff: (isOwn, count) => isOwn && count === 0,
  diffInverse: (isOwn, count) => !isOwn && count > 0,
  andOr: (isOwn, count) => isOwn && count > 0,
  setExclusive: (isOwn, count) => Number(isOwn) + count === 1,
}

export const COMBINATIONS: readonly Combination[] = Object.entries(keeping).map(([name, keeps]) => ({
  name: name as Combination['name'],
  of: (own, others) => {
    const all = [...new Set([own, ...others].flat())].sort((one, other) => one - other)
    const bits = all.filter((index) =>
      keeps(own.includes(index), others.filter((each) => each.includes(index)).length, others.length),
    )
    return { bits, bytes: all.length === 0 ? 0 : Math.floor((all.at(-1) ?? 0) / 8) + 1 }
  },
}))
