import { RedissonListMultimapValues } from './list-multimap-values.js'
import { RedissonSetMultimapValues } from './set-multimap-values.js'

/** Whether something is the values of a key of a multimap: an object that is made by another one, and does what that one does. */
export function areValuesOfKey(
  given: unknown,
): given is RedissonSetMultimapValues<unknown> | RedissonListMultimapValues<unknown> {
  return given instanceof RedissonSetMultimapValues || given instanceof RedissonListMultimapValues
}
