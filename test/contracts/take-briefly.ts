import { isRedissonError } from '../../src/index.js'

/**
 * Takes something for a lease that is to end soon: once more where the machine was so busy that the lease was over before it was handed
 * over, which no call hides.
 */
export async function takeBriefly<T>(take: () => Promise<T>): Promise<T> {
  for (;;) {
    const taking = take()
    if (await handedOver(taking)) return await taking
  }
}

/** Whether something was handed over before its lease ended. For a plain `lock()`, which belongs to the flow that calls it. */
export async function handedOver(taking: Promise<unknown>): Promise<boolean> {
  try {
    await taking
    return true
  } catch (error) {
    if (isRedissonError(error, 'LOCK_LOST') || isRedissonError(error, 'PERMIT_LOST')) return false
    throw error
  }
}
