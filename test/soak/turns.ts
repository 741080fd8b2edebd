/** When a player had the lock, and when it asked to give it back: milliseconds on the clock that all players share. */
export type Turn = readonly [takenAt: number, leftAt: number]

/**
 * How long the lock took from each holder to the next, where that was another player: milliseconds from the call of
 * `unlock()` to the end of the other's `acquire()`.
 *
 * @throws Error if one came in before the other went
 */
export function handOvers(games: readonly (readonly Turn[])[]): number[] {
  const turns = games.flatMap((game, player) =>
    game.map(([takenAt, leftAt]) => ({ player, takenAt, leftAt })),
  )
  turns.sort((one, other) => one.takenAt - other.takenAt)
  return turns.flatMap((next, index) => {
    const last = turns[index - 1]
    if (last === undefined || last.player === next.player) return []
    const tookMs = next.takenAt - last.leftAt
    if (tookMs < 0) throw new Error(`Expected one player at a time, got two for ${-tookMs} ms`)
    return [tookMs]
  })
}

/** Below which a share of them lies, such as 0.999. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN
}
