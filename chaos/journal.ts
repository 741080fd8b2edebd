import { closeSync, openSync, writeSync } from 'node:fs'
import type { Entry } from './history.js'

/** Where a process writes down what it does. */
export interface EntryLog {
  write(entry: Entry): void
}

/** The file to which one process writes what it does: at once, so that nothing is lost when it is killed. */
export class Journal implements EntryLog, Disposable {
  readonly #file: number

  constructor(path: string) {
    this.#file = openSync(path, 'a')
  }

  write(entry: Entry): void {
    writeSync(this.#file, `${JSON.stringify(entry)}\n`)
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }
}
