/** A thenable as a query builder is one: each call of `then()` begins its work. To await it reads `then` once. */
export interface LazyThenable<T> extends PromiseLike<T> {
  /** How often `then` was read. */
  readonly reads: number
  /** How often its work was begun. */
  readonly runs: number
}

/** A thenable whose `then()` begins some work. */
export function lazyThenable<T>(work: () => T | PromiseLike<T>): LazyThenable<T> {
  let reads = 0
  let runs = 0
  const then: PromiseLike<T>['then'] = (onfulfilled, onrejected) => {
    runs += 1
    const running = new Promise<T>((resolve) => {
      resolve(work()) // at once, in the context in which `then()` is called
    })
    return running.then(onfulfilled, onrejected)
  }
  return {
    get then() {
      reads += 1
      return then
    },
    get reads() {
      return reads
    },
    get runs() {
      return runs
    },
  }
}
