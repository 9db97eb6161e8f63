/** Commands that read the state of one node, of its services and of upgrades from one route each. */
import { textOf, type View } from '../gateway/gateway.js'
import type { Read } from './command.js'

export const nodeReads: Readonly<Record<string, Read>> = {
  'notify list': {
    route: ({ notify }) => notify.list,
    examples: ['--key-file alice.json'],
    summary: 'Devices of your account that a node notifies; for an operator all devices',
    columns: {
      // In full, because commands take it as an argument.
      DEVICE: ({ id }: View) => textOf(id),
      PLATFORM: 'platform',
      HOST: 'host',
      TOPICS: 'topics',
      UNTIL: 'expires_at_ms',
      SENT: 'sent',
    },
  },
  'operator passkey list': {
    route: ({ passkeys }) => passkeys.list,
    examples: ['--key-file operator.json'],
    columns: {
      PASSKEY: ({ id }: View) => textOf(id),
      NAME: 'label',
      'ACTS AS': 'account',
      MADE: 'created_at_ms',
      'LAST USED': 'last_used_at_ms',
    },
  },
  'runtime abis': {
    route: ({ upgrades }) => upgrades.abis,
    examples: ['', '--json'],
    columns: { ABI: 'abi_version', HASH: ({ abi_hash: hash }: View) => textOf(hash) },
  },
  'runtime upgrade list': {
    route: ({ upgrades }) => upgrades.upgrades,
    examples: ['', '--json'],
    columns: {
      UPGRADE: ({ id }: View) => textOf(id),
      ABI: 'manifest.abi_version',
      STATUS: 'status',
      'FROM HEIGHT': 'manifest.start_height',
      'BELOW HEIGHT': 'manifest.end_height',
      NAME: 'manifest.name',
    },
  },
  'snapshot list': {
    route: ({ snapshots }) => snapshots.list,
    examples: ['', '--json'],
    more: 'A node creates them at every multiple of snapshots.every_blocks, and on request by `snapshot create`.',
  },
  'telemetry peers': {
    route: ({ telemetry }) => telemetry.peers,
    examples: ['', '--json'],
    more: `Values that are not measured are absent.
A node watches the gateways of telemetry.gateways in its configuration.`,
  },
  'webhook attempts': {
    route: ({ webhooks }) => webhooks.attempts,
    examples: ['5f0c1a2b3c4d5e6f --key-file alice.json'],
    about: { id: 'id of the webhook' },
    columns: {
      TIME: 'at_ms',
      EVENT: 'event',
      RESULT: 'result',
      STATUS: 'status',
      TOOK: 'duration_ms',
      REASON: 'reason',
    },
  },
  'webhook dead': {
    route: ({ webhooks }) => webhooks.dead,
    examples: ['5f0c1a2b3c4d5e6f --key-file alice.json'],
    more: 'An event is dead if the endpoint refused it three times.',
    about: { id: 'id of the webhook' },
    columns: { TIME: 'at_ms', EVENT: 'event', TYPE: 'type', ATTEMPTS: 'attempts', STATUS: 'status' },
  },
  'webhook list': {
    route: ({ webhooks }) => webhooks.list,
    examples: ['--key-file alice.json'],
    summary: 'Webhooks of your account on a node; for an operator all webhooks',
    columns: { WEBHOOK: 'id', STATE: 'state', LAG: 'lag_blocks', DELIVERED: 'delivered', DEAD: 'dead', URL: 'url' },
  },
}
