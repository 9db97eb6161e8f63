/** Commands that read conferences, contracts, names, dataspaces, staking and verifying keys from one route each. */
import { textOf, type View, viewsOf } from '../gateway/gateway.js'
import { entriesText } from '../space/forms.js'
import type { Read } from './command.js'

export const familiesReads: Readonly<Record<string, Read>> = {
  'conference list': {
    route: ({ conference }) => conference.calls,
    examples: ['', '--domain bank --status active'],
    about: { domain: 'only calls of this domain', status: 'only calls with this status' },
    columns: {
      CALL: 'id',
      HOST: 'call.host',
      MODE: 'call.privacy_mode',
      STATUS: 'call.status',
      MEMBERS: 'call.member_count',
    },
  },
  'conference relay list': {
    route: ({ conference }) => conference.relays,
    examples: [''],
    more: 'Requires a telemetry profile with metrics, or the key of an operator.',
    isSignedWithKey: true,
    columns: {
      RELAY: 'relay_id',
      DOMAIN: 'domain',
      CLASS: 'bandwidth_class',
      STATUS: 'status',
      REPORTED: 'reported_at_ms',
    },
  },
  'conference relay show': {
    route: ({ conference }) => conference.relay,
    examples: ['relay1@bank'],
    names: { relay_id: 'relay' },
    about: { relay_id: 'address or alias' },
  },
  'conference show': {
    route: ({ conference }) => conference.call,
    examples: ['bank:standup', 'bank:standup --json'],
    names: { id: 'call' },
    about: { id: 'id of the call, domain:name' },
  },
  'conference signal list': {
    route: ({ conference }) => conference.signals,
    examples: ['bank:standup --kind chat'],
    more: 'Binary bodies are shown by their size.',
    names: { id: 'call' },
    about: {
      id: 'id of the call, domain:name',
      kind: 'only signals of this kind',
      after_ms: 'only signals after this time, ms since the Unix epoch',
    },
    columns: { AT: 'at_ms', KIND: 'kind', FROM: 'from', BODY: 'body' },
  },
  'contract code': {
    route: ({ contracts }) => contracts.code,
    examples: ['5e1c…'],
    names: { hash: 'artifact' },
    about: { hash: 'hash of the artifact' },
  },
  'contract list': {
    route: ({ contracts }) => contracts.contracts,
    examples: ['--domain bank'],
    about: { domain: 'only contracts of this domain' },
    columns: {
      ADDRESS: 'address',
      DOMAIN: 'instance.domain',
      STATUS: 'instance.status',
      HEIGHT: 'instance.deployed_height',
    },
  },
  'name history': {
    route: ({ names }) => names.history,
    examples: ['desk@bank'],
    summary: 'Versions of a name, newest first',
    about: { name: 'name, as path@domain' },
    columns: {
      VERSION: 'version',
      HEIGHT: 'changed_height',
      KIND: 'kind',
      OWNER: 'owner',
      ACCOUNT: 'account',
      EXPIRES: 'expires_ms',
    },
  },
  'name policy show': { route: ({ names }) => names.policy, examples: ['bank'] },
  'name show': {
    route: ({ names }) => names.name,
    examples: ['desk@bank', 'desk@bank --at 120'],
    summary: 'A name: its owner, its account, its standing and its terms',
    more: 'An assigned name belongs to the owner of its domain, who can give it to another account.',
    about: { name: 'name, as path@domain', at: 'height (default: the last one)' },
  },
  'registry search': {
    route: ({ registry }) => registry.packages,
    examples: ['kit', '--domain bank --json'],
    names: { q: 'text' },
    argument: 'q',
    about: { q: 'part of the package id', domain: 'only packages of this domain' },
    columns: {
      PACKAGE: 'id',
      POLICY: 'policy',
      RELEASES: 'releases',
      TAGS: ({ tags }: View) =>
        viewsOf(tags)
          .map(({ tag, version }) => `${textOf(tag)}=${textOf(version)}`)
          .join(' '),
    },
  },
  'registry show': {
    route: ({ registry }) => registry.package,
    examples: ['bank/kit', 'bank/kit --json'],
    argument: 'package',
    about: { package: 'package, as domain/name' },
  },
  'registry versions': {
    route: ({ registry }) => registry.versions,
    examples: ['bank/kit', 'bank/kit --all --json'],
    argument: 'package',
    about: { package: 'package, as domain/name' },
    columns: { VERSION: 'version', PUBLISHED: 'published_ms', YANKED: 'is_yanked' },
  },
  'space list': {
    route: ({ spaces }) => spaces.manifests,
    examples: ['', '--dataspace 7 --status active', '--account alice@bank --json'],
    summary: 'Manifests of guests, by dataspace and account',
    about: {
      dataspace: 'only manifests of this dataspace',
      account: 'only manifests of this guest: address or alias',
      status: 'only manifests with this status',
    },
    columns: {
      DATASPACE: 'dataspace',
      ACCOUNT: 'account',
      STATUS: 'status',
      VERSION: 'version',
      FROM: 'active_from_ms',
      EXPIRES: 'expires_ms',
    },
  },
  'space show': {
    route: ({ spaces }) => spaces.manifest,
    examples: ['7 alice@bank', '7 alice@bank --json'],
    summary: 'Permissions of a guest in a restricted dataspace: status, period and entries',
    about: { dataspace: 'number of the dataspace', account: 'guest: address or alias' },
    fields: {
      dataspace: 'dataspace',
      account: 'account',
      status: 'status',
      version: 'version',
      issuer: 'issuer',
      'active from': 'active_from_ms',
      expires: 'expires_ms',
      revoked: 'revoked.at_ms',
      reason: 'revoked.reason',
      entries: { named: entriesText },
    },
  },
  'staking history': {
    route: ({ staking }) => staking.stakeHistory,
    examples: ['nina@bank'],
    names: { id: 'account' },
    columns: { HEIGHT: 'height', ACTION: 'action', AMOUNT: 'amount', VALIDATOR: 'validator', EPOCH: 'epoch' },
  },
  'staking rewards': {
    route: ({ staking }) => staking.pendingRewards,
    examples: ['', '--account val-0@bank'],
    about: { account: 'only rewards of this validator' },
    columns: { EPOCH: 'epoch', VALIDATOR: 'validator', AMOUNT: 'amount', PAGES: 'pages' },
  },
  'staking slash list': {
    route: ({ staking }) => staking.slashes,
    examples: ['', '--account val-3@bank'],
    about: { account: 'only slashes of this validator' },
    columns: { ID: 'id', VALIDATOR: 'validator', FAULT: 'kind', TERM: 'term', STATUS: 'status', TAKEN: 'taken' },
  },
  'staking validators': {
    route: ({ staking }) => staking.validators,
    examples: ['', '--json'],
    columns: {
      VALIDATOR: 'account',
      BONDED: 'bonded',
      BEHIND: 'exposure.total',
      SEAT: 'has_seat',
      LISTED: 'is_listed',
      COMMISSION: 'validator.commission_bps',
    },
  },
  'zk vk list': {
    route: ({ zk }) => zk.verifyingKeys,
    examples: ['', '--status active --json'],
    about: { backend: 'only keys of this backend', status: 'only keys with this status' },
    columns: {
      BACKEND: 'id.backend',
      NAME: 'id.name',
      CIRCUIT: 'key.circuit_id',
      VERSION: 'key.version',
      STATUS: 'key.status',
      VERIFIES: 'verifies',
    },
  },
}
