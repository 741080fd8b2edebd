import { isRedissonError } from '../../src/errors/redisson-error.js'

/** Whether a lock was taken in time; false also where the time was too short for a reply. What came late is given back. */
export async function inTime(taking: Promise<boolean>): Promise<boolean> {
  try {
    return await taking
  } catch (error) {
    if (isRedissonError(error, 'REPLY_TIMEOUT')) return false
    throw error
  }
}
