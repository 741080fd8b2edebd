/**
 * How many messages the takes of a queue ask for. All leases of a take begin before its reply is sent, and Redis reads all that is asked for. So it
 * is fewer after a reply that came too late, or that had no room for more.
 */
export class TakeSize {
  #most = Infinity

  /** @param wanted - how many the program may get */
  of(wanted: number): number {
    return Math.min(wanted, this.#most)
  }

  /** That many came, of those that were asked for. */
  inTime(came: number, { asked, hasMore }: { readonly asked: number; readonly hasMore: boolean }): void {
    const hadNoRoom = came > 0 && came < asked && hasMore
    if (came === this.#most || hadNoRoom) this.#most = 2 * came
  }

  /** That many came after their time was over. */
  late(came: number): void {
    this.#most = Math.max(1, Math.floor(came / 2))
  }
}
