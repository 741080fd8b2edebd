import { nextTick } from 'node:process'

/** Joins the acknowledgements of one turn of the event loop in one request. */
export class Acknowledgements {
  readonly #settle: (ids: readonly string[]) => Promise<void>
  #ids: string[] = []
  #settling: Promise<void> | undefined

  constructor(settle: (ids: readonly string[]) => Promise<void>) {
    this.#settle = settle
  }

  /** Resolves when Redis has confirmed it, with all others of the same request. */
  add(id: string): Promise<void> {
    this.#ids.push(id)
    this.#settling ??= this.#soon()
    return this.#settling
  }

  async #soon(): Promise<void> {
    await new Promise<void>((resolve) => {
      nextTick(resolve)
    })
    const ids = this.#ids
    this.#ids = []
    this.#settling = undefined
    await this.#settle(ids)
  }
}
