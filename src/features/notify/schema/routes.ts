/** Owns the routes of notifications (specification 4.3). */
import { defineRoute } from '../../../api/route.js'
import { struct } from '../../../codec/index.js'
import * as records from './records.js'

const path = struct('NotifyDevicePath', { id: records.deviceId })
const own = { access: 'account', format: 'json' } as const
const about = { ...own, params: path, errors: ['not_found', 'integrations_unavailable'] } as const
/** Largest body that registers a device, in bytes: an endpoint or token, and topics. */
const BODY_MAX_BYTES = 16 * 1024

export const registerRoute = defineRoute({
  ...own,
  id: 'notify.register',
  method: 'POST',
  path: '/v1/notify/devices',
  summary: 'Register a device of the caller for 90 days, or give it other topics',
  body: { as: 'record', schema: records.registerDevice, maxBytes: BODY_MAX_BYTES },
  response: records.deviceView,
  success: 201,
  errors: ['notify_device_refused', 'notify_limit', 'forbidden', 'integrations_unavailable'],
})
export const listRoute = defineRoute({
  ...own,
  id: 'notify.list',
  method: 'GET',
  path: '/v1/notify/devices',
  summary: 'Devices of the caller; of everybody for an operator',
  response: records.deviceList,
})
export const removeRoute = defineRoute({
  ...about,
  id: 'notify.remove',
  method: 'DELETE',
  path: '/v1/notify/devices/{id}',
  summary: 'Forget a device',
  response: records.deviceView,
})
export const testRoute = defineRoute({
  ...about,
  id: 'notify.test',
  method: 'POST',
  path: '/v1/notify/devices/{id}/test',
  summary: 'Send a test to a device, once',
  response: records.notifyAnswer,
  errors: [...about.errors, 'rate_limited'],
})
export const keyRoute = defineRoute({
  access: 'public',
  format: 'json',
  id: 'notify.key',
  method: 'GET',
  path: '/v1/notify/key',
  summary: 'Public key that browsers subscribe with',
  response: records.notifyKey,
  errors: ['integrations_unavailable'],
})
