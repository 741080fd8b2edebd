/** Options of which each may be left out or undefined, which are the same to a caller. */
export type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** Options of which none is left out. */
export type Complete<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> }
