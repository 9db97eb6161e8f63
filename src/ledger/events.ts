/** Owns the kinds of the events that the kernel tells of; the subjects whose objects they are about declare their records. */

export const KERNEL_EVENTS = {
  accountCreated: 'accountCreated',
  accountDeleted: 'accountDeleted',
  transferred: 'transferred',
  minted: 'minted',
  mintabilityChanged: 'mintabilityChanged',
  held: 'held',
  released: 'released',
  roleGranted: 'roleGranted',
  roleRevoked: 'roleRevoked',
  proposalExpired: 'proposalExpired',
} as const
