/** Owns the metrics of notifications. */
import { defineMetrics } from '../../../api/metrics.js'

export const notifyMetrics = defineMetrics(({ counter, gauge }) => ({
  sent: counter('notify_sent_total', 'Notifications by platform and by the response of its service', [
    'platform',
    'result',
  ]),
  devices: gauge('notify_devices', 'Registered devices'),
}))
