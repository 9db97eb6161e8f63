/** Owns the kinds of the events that the kernel tells of; the subjects whose objects they are about declare their records. */

export const KERNEL_EVENTS = {
  accountCreated: 'accountCreated',
  roleGranted: 'roleGranted',
  roleRevoked: 'roleRevoked',
  proposalExpired: 'proposalExpired',
} as const
