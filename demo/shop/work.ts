/** How long a sale takes, with the payment and all: long enough that two at once do meet. */
export const WORK_MS = 10
