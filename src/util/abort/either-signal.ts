type Optional = AbortSignal | undefined

/** Returns a signal that aborts when one of two does; undefined if there is none of them. */
export function eitherSignal(one: AbortSignal, other: Optional): AbortSignal
export function eitherSignal(one: Optional, other: AbortSignal): AbortSignal
export function eitherSignal(one: Optional, other: Optional): Optional
export function eitherSignal(one: Optional, other: Optional): Optional {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other])
}
