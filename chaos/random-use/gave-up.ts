/** Why a call was given up. */
export class GaveUp extends Error {
  override readonly name = 'GaveUp'
}
