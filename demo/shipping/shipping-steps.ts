import type { QueueName } from './settings.js'

/** One way to ship what was paid: the third act. */
export interface ShippingStep {
  readonly name: QueueName
  readonly queue: QueueName
  /** What the team believes before. */
  readonly belief: string
  /** What it knows afterwards. */
  readonly lesson: string
  /** Whether each killed worker takes its order with it. */
  readonly losesOrders: boolean
}

export const shippingSteps: readonly ShippingStep[] = [
  {
    name: 'blocking-queue',
    queue: 'blocking-queue',
    belief: 'A queue in Redis: a worker takes an order, and ships it.',
    lesson: 'Taking removes an order. Those that the killed workers had were paid, and are lost.',
    losesOrders: true,
  },
  {
    name: 'reliable-queue',
    queue: 'reliable-queue',
    belief: 'RReliableQueue: a delivery is a hold, and only an acknowledgement removes an order.',
    lesson: 'The orders of the killed workers came again, and each one was shipped exactly once.',
    losesOrders: false,
  },
]
