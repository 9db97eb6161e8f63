/** Owns the metrics of notifications. */
import { defineMetrics } from '../../../api/metrics.js'

export const notifyMetrics = defineMetrics(({ counter, gauge }) => ({
  sent: counter('notify_sent_total', 'Notifications by platform and by what their service answered', [
    'platform',
    'result',
  ]),
  devices: gauge('notify_devices', 'Devices that hear of accounts'),
}))
