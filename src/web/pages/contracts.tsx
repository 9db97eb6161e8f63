/** Owns the pages of contracts: manifest, callers, events. */
import type { ActivityItem, EventItem, InstanceItem, InstanceView } from '../../features/contracts/schema/views.js'
import type { InstructionItem } from '../../features/explorer/schema/history.js'
import { bytesText, grouped, visible, words } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Listed, ReadTable, Table } from '../parts/table.js'
import {
  AccountLink,
  Badge,
  BlockLink,
  ErrorNotice,
  Fields,
  Id,
  Link,
  Notice,
  Section,
  Text,
  Time,
} from '../parts/ui.js'
import { CallValues } from '../parts/values.js'
import { place } from '../state/place.js'
import { useRead } from '../state/read.js'

type Instance = JsonOf<InstanceView>
type Call = JsonOf<ActivityItem>
type EventJson = JsonOf<EventItem>

/** Number of calls and events on the page of a contract. */
const SHOWN = 20

const contractColumns: readonly Column<JsonOf<InstanceItem>>[] = [
  { head: 'Contract', cell: ({ address }) => <AccountLink id={address} page="contract" /> },
  { head: 'Domain', cell: ({ instance }) => <Text of={instance.domain} /> },
  { head: 'Status', cell: ({ instance }) => words(instance.status.toLowerCase()) },
  { head: 'Owner', cell: ({ instance }) => <AccountLink id={instance.owner} /> },
  { head: 'Deployed', right: true, cell: ({ instance }) => <BlockLink height={instance.deployed_height} /> },
]

export function Contracts() {
  const { cursor } = place.value.query
  const read = useRead<PageOf<JsonOf<InstanceItem>>>(
    '/v1/contracts/instances',
    { cursor, limit: 100 },
    cursor === undefined,
  )
  return (
    <Section title="Contracts">
      <Listed
        page="contracts"
        name="Contracts"
        read={read}
        columns={contractColumns}
        keyOf={({ address }) => address}
        empty="No contract yet."
      />
    </Section>
  )
}

const paramsText = (params: readonly { readonly name: string; readonly type: string }[]): string =>
  params.map(({ name, type }) => `${name}: ${type}`).join(', ')

function Declared({ manifest }: Pick<Instance, 'manifest'>) {
  return (
    <>
      <Section title="Entrypoints">
        <Table
          name="Entrypoints"
          rows={manifest.entrypoints}
          keyOf={({ name }) => name}
          columns={[
            { head: 'Entrypoint', cell: ({ name }) => <Text of={name} /> },
            { head: 'Kind', cell: ({ kind }) => words(kind.toLowerCase()) },
            { head: 'Arguments', cell: ({ params }) => visible(paramsText(params)) || 'none' },
            { head: 'Result', cell: ({ result }) => <Text of={result ?? 'none'} /> },
            { head: 'Callable by', cell: ({ permission }) => <Text of={permission ?? 'everyone'} /> },
            { head: 'Assets', cell: ({ payable }) => (payable ? 'accepted' : 'none') },
          ]}
        />
      </Section>
      {manifest.events.length === 0 ? null : (
        <Section title="Declared events">
          <Table
            name="Declared events"
            rows={manifest.events}
            keyOf={({ topic }) => topic}
            columns={[
              { head: 'Event', cell: ({ topic }) => <Text of={topic} /> },
              { head: 'Fields', cell: ({ fields }) => visible(paramsText(fields)) || 'none' },
            ]}
          />
        </Section>
      )}
    </>
  )
}

/** Arguments of a call, decoded from its instruction. */
function Arguments({ call, manifest }: { readonly call: Call } & Pick<Instance, 'manifest'>) {
  const path = `/v1/explorer/instructions/${call.transaction}/${call.position}`
  const { value } = useRead<JsonOf<InstructionItem>>(path)
  const { ContractCall: body } = (value?.instruction ?? {}) as { readonly ContractCall?: { readonly input: string } }
  if (body === undefined) return <>…</>
  const params = manifest.entrypoints.find(({ name }) => name === call.entrypoint)?.params
  return <CallValues params={params} base64={body.input} />
}

function Calls({ address, manifest }: Pick<Instance, 'address' | 'manifest'>) {
  const read = useRead<PageOf<Call>>('/v1/contracts/activity', { contract: address, limit: SHOWN }, true)
  return (
    <Section title="Calls, newest first">
      <ReadTable
        name="Calls"
        read={read}
        keyOf={({ height, entry, position }) => `${height}.${entry}.${position}`}
        empty="No calls yet."
        columns={[
          { head: 'Entrypoint', cell: ({ entrypoint }) => <Text of={entrypoint} /> },
          { head: 'Arguments', cell: (call) => <Arguments call={call} manifest={manifest} /> },
          {
            head: 'Outcome',
            cell: ({ approved }) =>
              approved ? <Badge tone="good">approved</Badge> : <Badge tone="bad">rejected</Badge>,
          },
          { head: 'Gas', right: true, cell: ({ gas_used: gas }) => grouped(gas) },
          { head: 'Caller', cell: ({ caller }) => <AccountLink id={caller} /> },
          { head: 'Transaction', cell: ({ transaction }) => <Id of={transaction} page="transaction" /> },
          { head: 'Time', cell: ({ time_ms: ms }) => <Time ms={ms} /> },
        ]}
      />
    </Section>
  )
}

function Events({ address, manifest }: Pick<Instance, 'address' | 'manifest'>) {
  const read = useRead<PageOf<EventJson>>('/v1/contracts/events', { contract: address, limit: SHOWN }, true)
  const fieldsOf = (topic: string) => manifest.events.find((one) => one.topic === topic)?.fields
  return (
    <Section title="Events, newest first">
      <ReadTable
        name="Events"
        read={read}
        keyOf={({ height, entry, position }) => `${height}.${entry}.${position}`}
        empty="No events yet."
        columns={[
          { head: 'Event', cell: ({ topic }) => <Text of={topic} /> },
          { head: 'Fields', cell: ({ topic, data }) => <CallValues params={fieldsOf(topic)} base64={data} /> },
          { head: 'Block', right: true, cell: ({ height }) => <BlockLink height={height} /> },
        ]}
      />
    </Section>
  )
}

/** Source in the manifest, and instructions to verify it, since a node cannot compile. */
function Source({ address, manifest, code_hash: code }: Pick<Instance, 'address' | 'manifest' | 'code_hash'>) {
  const { source_hash: source, provenance } = manifest
  return (
    <Section title="Source">
      <Fields
        of={[
          ['Module', <Id of={String(code)} whole key="code" />],
          ['Source hash', source ? <Id of={String(source)} whole key="source" /> : 'not declared'],
          ['Signed by', provenance ? <Id of={String(provenance.signer)} whole key="signer" /> : 'not signed'],
        ]}
      />
      <p>To verify that a folder of sources builds these bytes, use a compiler that you installed:</p>
      <pre>{`causeway contract verify FOLDER --deployed ${address} --compiler DIR`}</pre>
    </Section>
  )
}

export function ContractPage({ id }: { readonly id: string }) {
  const { value: one, error } = useRead<Instance>(`/v1/contracts/instances/${encodeURIComponent(id)}`, {}, true)
  if (one === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  const { instance, manifest } = one
  return (
    <>
      <Section title="Contract">
        <Fields
          of={[
            ['Name', <Text of={manifest.name} key="name" />],
            ['Alias', one.alias && <Text of={one.alias} />],
            ['Address', <Id of={one.address} whole key="address" />],
            ['Status', words(instance.status.toLowerCase())],
            ['Owner', <AccountLink id={instance.owner} key="owner" />],
            [
              'Account',
              <Link page="account" id={instance.storage_id} key="account">
                balances and movements
              </Link>,
            ],
            ['Artifact', <Id of={String(instance.artifact)} whole key="artifact" />],
            ['Upgradable', manifest.upgradable ? 'yes' : 'no'],
            ['Keeps', `${grouped(one.keys)} keys, ${bytesText(one.bytes)}`],
            ['Deployed', <BlockLink height={instance.deployed_height} key="deployed" />],
          ]}
        />
      </Section>
      <Calls address={one.address} manifest={manifest} />
      <Events address={one.address} manifest={manifest} />
      <Declared manifest={manifest} />
      <Source address={one.address} manifest={manifest} code_hash={one.code_hash} />
    </>
  )
}
