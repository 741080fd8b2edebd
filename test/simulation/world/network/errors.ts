/** An error of the system, as Node makes it. */
export interface SystemError extends Error {
  readonly code: string
  readonly errno: number
  readonly syscall: string
}

/** The numbers of Linux. */
const ERRNO = { ECONNREFUSED: -111, ECONNRESET: -104, ETIMEDOUT: -110 } as const

/** An error of an attempt to connect. */
export function connectError(
  code: 'ECONNREFUSED' | 'ETIMEDOUT',
  { host, port }: { readonly host: string; readonly port: number },
): SystemError {
  const error = new Error(`connect ${code} ${host}:${port}`)
  return Object.assign(error, { code, errno: ERRNO[code], syscall: 'connect', address: host, port })
}

/** An error of a connection that worked. */
export function readError(code: 'ECONNRESET' | 'ETIMEDOUT'): SystemError {
  return Object.assign(new Error(`read ${code}`), { code, errno: ERRNO[code], syscall: 'read' })
}
