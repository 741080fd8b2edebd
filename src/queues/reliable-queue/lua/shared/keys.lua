-- The keys of a reliable queue. All of its scripts are given them in this order.
--
-- records: a hash, each message by its id. ready: a sorted set of ids, the highest priority first. delayed: entries by the moment at which they are due.
-- leases: deliveries, an id and a token, by the moment at which they end. dead: the ids of dead letters by the moment of the last failure.
-- grouped: messages that wait for a place of their group, in its order. facts: a hash with the counter of ids and tokens (#), how often a message has
-- failed (f and its id), why it is dead (r), the last number when it was redriven (n), why it was cancelled (c), how many places of a group are taken (s and
-- the group), and the message of a deduplication (d and its id). dedups: deduplications that end at a moment.
local records, ready, delayed, leases, dead, grouped, facts, dedups, channel =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
