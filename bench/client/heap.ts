import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes of this process's heap that something still needs. */
export function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
