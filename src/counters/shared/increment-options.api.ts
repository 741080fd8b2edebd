/** How much a counter is incremented by, and within which bounds. */
export interface IncrementOptions<N extends number | bigint> {
  /**
   * The number to add; it may be negative.
   *
   * @defaultValue 1
   */
  readonly by?: N | undefined
  /**
   * The least that the sum may be.
   *
   * @defaultValue none
   */
  readonly lowerBound?: N | undefined
  /**
   * The most that the sum may be.
   *
   * @defaultValue none
   */
  readonly upperBound?: N | undefined
  /**
   * Whether the counter is set to the bound where the sum would be beyond it.
   *
   * @defaultValue false: it stays as it is, and so does its time to live
   */
  readonly saturate?: boolean | undefined
  /**
   * When the counter expires: milliseconds from now on, more than 0; or a moment.
   *
   * @defaultValue its time to live stays
   */
  readonly expire?: number | Date | undefined
  /**
   * Whether a time to live that the counter has already stays.
   *
   * @defaultValue false
   */
  readonly expireIfNotSet?: boolean | undefined
  /**
   * Whether the counter never expires from now on. It excludes `expire`.
   *
   * @defaultValue false
   */
  readonly clearExpire?: boolean | undefined
}
