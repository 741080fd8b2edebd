import { nextTick } from 'node:process'

/** Joins the acknowledgements of one turn of the event loop in one request. */
export class Acknowledgements {
  readonly #send: (ids: readonly string[]) => Promise<void>
  readonly #onSettled: (id: string) => void
  #ids: string[] = []
  #settling: Promise<void> | undefined

  /**
   * @param send - acknowledges messages
   * @param onSettled - is told of each that Redis has confirmed
   */
  constructor(send: (ids: readonly string[]) => Promise<void>, onSettled: (id: string) => void) {
    this.#send = send
    this.#onSettled = onSettled
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
    await this.#send(ids)
    for (const id of ids) this.#onSettled(id)
  }
}
