/** Owns the ids of permissions, roles and ownership, of the range of the core. Append only. */
export const PERMISSION_INSTRUCTIONS = {
  transferOwnership: 18,
  registerRole: 21,
  unregisterRole: 22,
  grant: 23,
  revoke: 24,
} as const
export const PERMISSION_EVENTS = {
  permissionAdded: 10,
  permissionRemoved: 11,
  ownerChanged: 24,
  roleCreated: 25,
  roleDeleted: 26,
  rolePermissionAdded: 27,
  rolePermissionRemoved: 28,
  roleGranted: 29,
  roleRevoked: 30,
} as const
export const PERMISSION_QUERIES = {
  roles: 8,
  role: 9,
  accountGrants: 10,
  permissionHolders: 19,
} as const
