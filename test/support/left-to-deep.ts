/** Leaves tests to `npm run test:deep`, where the gate tests the same with another object or at another place. */
export function leftToDeep(isLeft: boolean): { tags?: ['full'] } {
  return isLeft ? { tags: ['full'] } : {}
}
