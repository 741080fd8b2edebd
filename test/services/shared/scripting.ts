import type { Sample } from '../../contracts/subject.js'
import { many, nullable, one, whatever } from '../../contracts/takes.js'

export const mode = one('READ_ONLY', 'READ_WRITE')
export const returns = one('BOOLEAN', 'INTEGER', 'STATUS', 'VALUE', 'MULTI')
export const values = many(nullable(whatever('v')))

/** What sends code of the program, which may fail in any way. */
export const sent = (sample: Sample): Sample => ({ ...sample, sendsAnything: true })
