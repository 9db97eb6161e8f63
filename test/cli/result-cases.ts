/** Owns one run of each command whose result is compared: words with placeholders, in an order in which all of them work. */

/** A command with the words behind it. */
export interface ResultCase {
  /** Id in the manifest. */
  readonly id: string
  readonly words: readonly string[]
  /** It changes something: the second run, as text, would not do the same. */
  readonly once: boolean
}

/**
 * A line is `id words...`. `!` before it: it runs once. `{dir}` is the folder of the test, `{net}` that of the network,
 * `{gw}` a gateway, `{val-2}` the folder of a stopped peer, `{admin}` and `{alice}` key files; others are made on the way.
 */
const LINES = `
api GET /v1/node/capabilities --gateway {gw}
openapi
codec:schema Transfer
codec:encode Instruction {dir}/log.json
codec:decode {dir}/log.hex --type Instruction
completion bash
config:schema
config:show {val-0}/node.toml
config:check {val-0}/node.toml
config:explain
config:explain log.level --config {val-0}/node.toml
!key:generate --out {dir}/ed.json
!key:generate --algorithm bls --out {dir}/bls.json
key:show {dir}/ed.json
key:list {dir}
help exit-codes
key:pop:create --key-file {dir}/bls.json
key:pop:verify --public-key {pop-key} --pop {pop}
!profile:create local --gateway {gw}
profile:list
profile:pin local
profile:use local
profile:create vault --signer-command /usr/bin/signer
!profile:remove vault
!profile:remove local
!init --dir {dir}/host --name bank-a --address 10.0.0.1:7400 --no-input
!topology:create --out {dir}/topology.json
!topology:add {dir}/host/card.json --file {dir}/topology.json
topology:check {dir}/topology.json
topology:show {dir}/topology.json
!genesis:create --chain demo --topology {dir}/topology.json --out {dir}/genesis.json --key-file {dir}/ed.json --account alice={alice-id} --account bob={bob-id} --account bridge={bridge-id}
!genesis:sign {dir}/genesis.json --out {dir}/genesis.signed --key-file {dir}/ed.json
genesis:verify {net}/genesis.signed
genesis:diff {net}/genesis.signed {net}/genesis.signed
!genesis:add {dir}/log.json --file {dir}/genesis.json
!topology:remove bank-a --file {dir}/topology.json
genesis:show {net}/genesis.signed
!genesis:pin {dir}/genesis.signed --config {dir}/host/node.toml
status --gateway {gw}
notify:list --gateway {gw} --key-file {alice}
rpc --gateway {gw}
rpc ledger.domains {"limit":1} --gateway {gw}
localnet:status
localnet:logs val-0 --lines 2
node:info --peer-dir {val-2}
doctor --files --peer-dir {val-2}
node:reload --peer-dir {val-0}
block:verify --peer-dir {val-2}
block:replay --peer-dir {val-2}
snapshot:list --gateway {gw}
!snapshot:create {dir}/state.snapshot --peer-dir {val-2}
snapshot:verify {dir}/state.snapshot --peer-dir {val-2}
!snapshot:restore {dir}/state.snapshot --config {dir}/empty.toml
!node:backup --peer-dir {val-2} --out {dir}/backup
!node:restore --config {dir}/empty2.toml --backup {dir}/backup
!block:export {dir}/blocks.bin --from-height 1 --to-height 2
!block:import {dir}/blocks.bin --peer-dir {val-2} --data-dir {dir}/imported
block:show 2
block:watch --from-height 1 --limit 1
events:watch --from-height 1 --limit 1
explorer
doctor --config {val-2}/node.toml
consensus:status
consensus:leader
consensus:qc
consensus:commit-qc {hash}
consensus:phases
consensus:params
consensus:pacemaker
consensus:collectors
consensus:telemetry
consensus:keys
consensus:keys --by-peer
consensus:validators
consensus:certificates
consensus:checkpoints
consensus:rbc:status
consensus:rbc:sessions
consensus:evidence:list
consensus:evidence:count
consensus:evidence:submit {dir}/log.hex --key-file {admin}
watch --once
watch --lines --limit 1
query domains --key-file {alice}
query account {"alias":"alice@bank"} --key-file {alice}
runtime:abi
runtime:abis
runtime:upgrade:list
runtime:upgrade:propose --name next --abi {next-abi} --abi-hash {hash} --start 9000 --end 9900 --key-file {admin} --dry-run
runtime:upgrade:activate {hash} --key-file {admin} --dry-run
runtime:upgrade:cancel {hash} --key-file {admin} --dry-run
proof:verify {dir}/finality.json --genesis-hash {genesis}
!domain:register shop --key-file {admin}
domain:list
domain:unregister shop --key-file {admin} --dry-run
account:register {fresh} --domain bank --key-file {admin} --dry-run
account:show alice@bank
alias:resolve alice@bank ccy:EUR
alias:of alice@bank
account:list --domain bank --limit 2
account:relabel alice@bank --label ally --key-file {admin} --dry-run
account:permissions alice@bank
account:unregister bob@bank --key-file {admin} --dry-run
domain:set-admission bank --explicit --key-file {admin} --dry-run
asset:register gold#bank --scale 2 --key-file {admin} --dry-run
asset:list
asset:holders eur#bank --all
asset:mint eur#bank --amount 5 --to alice@bank --key-file {admin} --dry-run
asset:burn eur#bank --amount 1 --key-file {alice} --dry-run
!asset:transfer --to bob@bank --asset eur#bank --amount 1.5 --key-file {alice}
asset:transfer --to bob@bank --asset eur#bank --amount 1.5 --key-file {alice} --dry-run
asset:transfer-batch {dir}/batch.json --asset eur#bank --key-file {alice} --dry-run
asset:control alice@bank --asset eur#bank --freeze --reason test --key-file {admin} --dry-run
asset:unregister eur#bank --key-file {admin} --dry-run
ledger:log hello --key-file {alice} --dry-run
metadata:set alice@bank tier gold --key-file {alice} --dry-run
metadata:remove alice@bank purpose --key-file {alice} --dry-run
ledger:set-owner shop --to bob@bank --key-file {admin} --dry-run
parameter:set block_teu 120000 --key-file {admin} --dry-run
peer:list
peer:register {dir}/host/card.json --key-file {admin} --dry-run
peer:rotate-key {peer} --new-key {dir}/bls.json --key-file {admin} --dry-run
peer:disable-key {peer} --yes --key-file {admin} --dry-run
peer:unregister {peer} --yes --key-file {admin} --dry-run
permission:grant CanMintAsset:eur#bank#bob@bank --to bob@bank --key-file {admin} --dry-run
permission:holders CanManageRoles --key-file {admin}
permission:revoke CanManagePeers --from admin@bank --key-file {admin} --dry-run
account:sponsor --account bob@bank --per-tx 1 --per-day 20 --key-file {alice} --dry-run
tx:list --account alice@bank --asset eur#bank --outcome approved
account:statement alice@bank --since 2026-01-01 --key-file {alice}
lane:list
lane:show 0
lane:route:explain {dir}/log.json --account alice@bank
lane:envelope:show 2 0
lane:envelope:verify {dir}/log.hex
lane:policy:show
lane:dataspace:list
lane:settlement:build d1 --from bob@bank --deliver 1|eur#bank --to alice@bank --against 2|usd#bank
lane:settlement:sign {dir}/d1.json --to alice@bank --key-file {bob}
lane:settlement:agree {dir}/d1.json --to alice@bank --key-file {bob} --dry-run
lane:settlement:submit {dir}/d1.json --key-file {alice}
lane:settlement:record 0 --local 1|eur#bank --due 2|usd#bank --after 1.5 --key-file {admin} --dry-run
lane:envelope:accept {dir}/log.hex --key-file {alice} --dry-run
lane:anchor:set 5 --genesis {net}/genesis.signed --key-file {admin} --dry-run
lane:anchor:remove 5 --chain-hash {hash} --key-file {admin} --dry-run
lane:relabel 0 main --key-file {admin} --dry-run
lane:retire 0 --key-file {admin} --dry-run
lane:policy:add --lane 0 --account alice@bank --key-file {admin} --dry-run
lane:policy:set-default 0 --key-file {admin} --dry-run
lane:policy:remove 0 --key-file {admin} --dry-run
lane:policy:set {dir}/log.json --key-file {admin} --dry-run
lane:dataspace:create 7 --alias securities --key-file {admin} --dry-run
lane:dataspace:set 0 --alias core --key-file {admin} --dry-run
lane:dataspace:remove 0 --key-file {admin} --dry-run
lane:create 3 --alias bulk --key-file {admin} --dry-run
role:list
!role:register clerk --manager bob@bank --key-file {admin}
role:show clerk
role:grant clerk --to alice@bank --key-file {bob} --dry-run
role:revoke clerk --from bob@bank --key-file {bob} --dry-run
role:unregister clerk --key-file {admin} --dry-run
!nft:register deed$bank --meta parcel=17 --key-file {admin}
nft:list
nft:show deed$bank
nft:transfer deed$bank --to alice@bank --key-file {admin} --dry-run
nft:unregister deed$bank --key-file {admin} --dry-run
!trigger:register tick {dir}/log.json --call --repeats 3 --key-file {alice}
trigger:list
trigger:show tick
trigger:call tick --key-file {alice} --dry-run
trigger:set tick --repeats 2 --key-file {alice} --dry-run
trigger:set tick --off --key-file {alice} --dry-run
trigger:set tick --for-ever --key-file {alice} --dry-run
trigger:unregister tick --key-file {alice} --dry-run
!multisig:create --member alice@bank --member bob@bank --quorum 2 --domain bank --label pair --key-file {admin}
multisig:show pair@bank
multisig:propose-policy pair@bank --member alice@bank --quorum 1 --key-file {alice} --dry-run
!multisig:propose pair@bank {dir}/log.json --key-file {alice}
multisig:approve pair@bank {proposal} --key-file {bob} --dry-run
multisig:cancel pair@bank {hash} --key-file {alice} --dry-run
!lane:dataspace:create 9 --alias depot --restricted --key-file {admin}
!permission:grant CanPublishManifests:9 --to admin@bank --key-file {admin}
!space:publish {dir}/guest.json --key-file {admin}
space:list
space:show 9 alice@bank
space:check {dir}/log.json --account alice@bank
space:revoke 9 alice@bank --reason done --key-file {admin} --dry-run
space:expire 9 alice@bank --key-file {bob} --dry-run
!zk:vk:register spare --circuit conference-roster-v1 --status proposed --key-file {admin}
zk:vk:list
zk:vk:show conference-roster
zk:vk:set spare --version 2 --circuit conference-roster-v1 --status withdrawn --key-file {admin} --dry-run
!conference:create bank:standup --title Stand-up --gas-rate-per-minute 5 --key-file {alice}
conference:quickstart --name again --key-file {alice} --dry-run
!conference:join bank:standup --key-file {bob}
conference:leave bank:standup --key-file {bob} --dry-run
conference:record-usage bank:standup --duration-ms 60000 --billed-gas 5 --key-file {alice} --dry-run
!conference:signal:send bank:standup hello --kind chat --key-file {bob}
conference:signal:list bank:standup
!conference:relay:register --domain bank --hpke-key {relay-key} --key-file {admin}
!conference:relay:register --domain bank --hpke-key {relay-key} --key-file {alice}
!conference:relay:register --domain bank --hpke-key {relay-key} --key-file {bob}
conference:relay:allow bank --relay alice@bank --key-file {admin} --dry-run
!conference:manifest:set bank:standup --relay-manifest {dir}/relays.json --key-file {alice}
!conference:relay:report bank:standup bob@bank unavailable --notes lost --key-file {alice}
conference:manifest:remove bank:standup --key-file {alice} --dry-run
conference:relay:list
conference:relay:show bob@bank
conference:relay:health
conference:list --domain bank
conference:show bank:standup
conference:key:show bank:board --key-file {alice}
!conference:create bank:board --private --admit {member-key} --key-file {alice}
conference:admit bank:board {other-key} --key-file {alice} --dry-run
!conference:admit bank:board {other-key} --key-file {alice}
conference:prove:join bank:board --submitter bob@bank --key-file {alice}
conference:verify {dir}/proof.json
!conference:join bank:board --private --key-file {alice} --payer-key-file {bob}
conference:prove:signal bank:board --body hello --submitter bob@bank --key-file {alice}
conference:prove:usage bank:board --duration-ms 1000 --submitter alice@bank --key-file {alice}
conference:prove:leave bank:board --submitter bob@bank --key-file {alice}
conference:end bank:board --key-file {alice} --dry-run
!sink:sqlite {dir}/ledger.db --once
sink:verify --file {dir}/ledger.db
sink:schema sqlite
!webhook:create http://127.0.0.1:9/ --filter kind=Transferred --key-file {alice}
webhook:list --key-file {alice}
webhook:show {hook} --key-file {alice}
webhook:attempts {hook} --key-file {alice}
webhook:dead {hook} --key-file {alice}
!webhook:test {hook} --key-file {alice}
!webhook:rotate {hook} --key-file {alice}
webhook:disable {hook} --key-file {alice}
webhook:enable {hook} --key-file {alice}
!webhook:remove {hook} --key-file {alice}
tx:build {dir}/log.json --key-file {alice}
tx:sign {dir}/built.json --key-file {alice}
tx:decode {dir}/signed.json
tx:submit {dir}/signed.json --dry-run
!tx:submit {dir}/signed.json
!tx:submit {dir}/many.ndjson --bulk
!tx:send {dir}/many-logs.ndjson --bulk --key-file {alice}
tx:send {dir}/log.json --key-file {alice} --dry-run
tx:show {tx}
tx:wait {tx}
tx:explain {tx}
!bench:tx --to bob@bank --asset eur#bank --rate 5 --duration 1s --key-file {alice}
bench:codec --each 5ms
bench:bls --each 5ms
iso:codes AC01
iso:explain pacs.008
iso:template pacs008
iso:validate {dir}/pacs008.xml
iso:convert {dir}/pacs008.xml --to flat
iso:refdata:lint {dir}/bics.json --kind bic
!iso:submit:pacs008 {dir}/pacs008.xml
iso:submit:pacs008 {dir}/pacs008.xml {dir}/pacs008.xml
iso:submit:pacs009 {dir}/pacs009.xml
iso:status {message}
iso:watch {message}
iso:hold --key-file {admin}
iso:hold:set nope --reference x --key-file {admin}
iso:hold:refuse nope --key-file {admin}
iso:release nope --key-file {admin}
iso:import {dir}/bindings.csv --dry-run
iso:bind:iban NL91ABNA0417164300 --account alice@bank --key-file {admin} --dry-run
iso:bind:currency CHF --asset eur#bank --key-file {admin} --dry-run
iso:unbind:iban DE89370400440532013000 --key-file {admin} --dry-run
iso:unbind:currency EUR --key-file {admin} --dry-run
iso:submitter:set alice@bank --domain bank --key-file {admin} --dry-run
!contract:create {dir}/token
contract:verify {dir}/token/build/contract.wasm
contract:test {dir}/token
!contract:deploy {dir}/token --alias token@bank --args {"digits":2,"initial":"1000"} --key-file {admin}
contract:list
contract:show token@bank
contract:view token@bank totalSupply
contract:simulate token@bank totalSupply
contract:call token@bank pause --args {"on":true} --key-file {admin} --dry-run
contract:bundle {dir}/bundle.json --key-file {admin} --dry-run
contract:events token@bank
contract:activity token@bank
contract:state token@bank
contract:alias:release token@bank --key-file {admin} --dry-run
contract:deactivate token@bank --reason test --key-file {admin} --dry-run
sim:explore --world one --no-checks
sim:run --seeds 1
sim:scale --validators 4 --rate 50 --warm-up 500ms --duration 1s --costs default
!name:policy:set bank --mode leased --key-file {admin}
name:policy:show bank
name:check desk@bank
!name:register desk@bank --years 1 --key-file {alice}
name:show desk@bank
name:list --domain bank
name:history desk@bank
name:renew desk@bank --years 1 --key-file {alice} --dry-run
name:set-account desk@bank --account bob@bank --key-file {alice} --dry-run
name:set-manager desk@bank --account bob@bank --key-file {alice} --dry-run
name:set-record desk@bank --set text:url=https://bank.example --key-file {alice} --dry-run
name:set-primary desk@bank --key-file {alice} --dry-run
name:transfer desk@bank --to bob@bank --key-file {alice} --dry-run
name:release desk@bank --key-file {alice} --dry-run
name:prune desk@bank --key-file {bob} --dry-run
name:reserve acme --domain bank --reason authority --key-file {admin} --dry-run
!name:sub:create pay.desk@bank --account bob@bank --key-file {alice}
name:sub:remove pay.desk@bank --key-file {alice} --dry-run
!name:resolve pay.desk@bank --proof {dir}/name.json
name:verify {dir}/name.json --genesis-hash {genesis}
!ministry:submit {dir}/agenda.json --key-file {alice}
ministry:list --status open
ministry:denylist
ministry:policies
ministry:check sha256:{genesis}
!registry:create bank/kit --key-file {admin}
!registry:create bank/spare --key-file {admin}
!registry:publish bank/kit 1.0.0 {dir}/log.json --license MIT --key-file {admin}
registry:search kit
registry:show bank/kit
registry:versions bank/kit
registry:resolve bank/kit ^1.0
registry:verify {dir}/log.json bank/kit@1.0.0
registry:set bank/kit --policy signed --key-file {admin} --dry-run
registry:builder:add bank/kit {genesis} --source-prefix git+ --key-file {admin} --dry-run
registry:tag bank/kit latest 1.0.0 --key-file {admin} --dry-run
registry:yank bank/kit 1.0.0 --reason test --key-file {admin} --dry-run
registry:attest bank/kit 1.0.0 --source git+kit --commit 1 --build-type make --builder ci --invocation run-1 --key-file {admin} --dry-run
registry:remove bank/spare --key-file {admin} --dry-run
!rwa:class:register ore#bank --unit g --scale 2 --key-file {admin}
!rwa:issue ore#bank --to alice@bank --quantity 1500 --key-file {admin}
!rwa:issue ore#bank --to alice@bank --quantity 100 --key-file {admin}
rwa:class:list
rwa:class:show ore#bank
rwa:class:set ore#bank --pause --key-file {admin} --dry-run
rwa:list --class ore#bank
rwa:show ore#bank/1
rwa:history ore#bank/1
rwa:provenance ore#bank/1
rwa:holder:list ore#bank
rwa:transfer ore#bank/1 --to bob@bank --key-file {alice} --dry-run
rwa:split ore#bank/1 --quantity 100 --key-file {alice} --dry-run
rwa:merge ore#bank/1 ore#bank/2 --key-file {alice} --dry-run
rwa:freeze ore#bank/1 --reason test --key-file {admin} --dry-run
rwa:hold ore#bank/1 --quantity 100 --reason test --key-file {admin} --dry-run
rwa:force ore#bank/1 --to bob@bank --reason test --key-file {admin} --dry-run
rwa:redemption:request ore#bank/1 --quantity 5 --key-file {alice} --dry-run
!repo:calendar:set demo --cutoff 23:59 --key-file {admin}
repo:calendar:show demo
!repo:price ore#bank 55 --cash eur#bank --key-file {bob}
repo:prices --poster bob@bank
!repo:propose R1 --buyer bob@bank --poster bob@bank --cash 100|eur#bank --lot ore#bank/1 --haircut 2% --rate 3.65% --until next --calendar demo --key-file {alice}
repo:list --party alice@bank
repo:show R1 --account alice@bank
repo:consent R1 --key-file {bob} --dry-run
repo:withdraw R1 --key-file {alice} --dry-run
!subscription:plan:create news --every 1m --amount 1|eur#bank --key-file {bob}
subscription:plan:list
!subscription:create bob@bank/news --max 1|eur#bank --key-file {alice}
subscription:list --account alice@bank
subscription:show bob@bank/news --account alice@bank
subscription:invoices bob@bank/news --account alice@bank
subscription:pause bob@bank/news --key-file {alice} --dry-run
subscription:cancel bob@bank/news --key-file {alice} --dry-run
subscription:plan:close news --key-file {bob} --dry-run
!asset:register ballot#bank --scale 0 --key-file {admin}
!asset:mint ballot#bank --amount 100 --to alice@bank --key-file {admin}
!gov:found {dir}/governance.json --key-file {admin}
gov:status
gov:track:list
!gov:lock 100 --asset ballot#bank --key-file {alice}
!gov:propose {dir}/log.json --track 0 --title Log --key-file {alice}
gov:list --open
gov:show 1
gov:tally 1
gov:vote 1 aye --amount 50 --key-file {alice} --dry-run
gov:locks alice@bank
gov:account alice@bank
gov:unlocks
gov:namespace:list
gov:namespace:propose --add bank --track 0 --title Protect --key-file {alice} --dry-run
gov:withdraw --asset ballot#bank --key-file {alice} --dry-run
!localnet:fault pause val-0
!localnet:fault resume val-0
!localnet:up --only val-2
!localnet:down --only val-2
`

export const RESULT_CASES: readonly ResultCase[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const once = line.startsWith('!')
    const [id = '', ...words] = (once ? line.slice(1) : line).split(' ')
    // A blank within a word is written as a bar.
    return { id, words: words.map((word) => word.replace('|', ' ')), once }
  })

/** A network that elects its validators. */
const STAKING = 'test/e2e/staking.test.ts'

/** Commands without a run here, and where they are run instead. */
const NOTIFY = 'test/e2e/notify.test.ts'
const RWAS = 'test/unit/rwas/instructions.test.ts, which runs the instruction that it sends'
const REPOS = 'test/unit/repo/instructions.test.ts, which runs the instruction that it sends'
const SUBSCRIPTIONS = 'test/unit/subscriptions/lifecycle.test.ts, which runs the instruction that it sends'
const GOVERNANCE = 'test/unit/gov, which runs the instruction that it sends'
const PASSKEYS = 'test/e2e/iso-operator.test.ts'
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'sim:follow': 'test/cli/sim-follow.test.ts',
  'gov:activate': GOVERNANCE,
  'gov:council:audit': 'test/unit/gov/reads.test.ts, which asks the route behind it',
  'gov:council:show': 'test/unit/gov/reads.test.ts, which asks the route behind it',
  'gov:council:veto': GOVERNANCE,
  'gov:elector': GOVERNANCE,
  'gov:enact': 'docs/start/governance.md',
  'gov:finalize': 'docs/start/governance.md',
  'gov:ready': GOVERNANCE,
  'gov:seal': GOVERNANCE,
  'gov:watch': 'docs/start/governance.md',
  'ministry:admit': GOVERNANCE,
  'ministry:dismiss': GOVERNANCE,
  'ministry:show': 'test/e2e/families.test.ts, which reads the route behind it',
  'registry:builder:revoke': 'test/unit/registry/registry.test.ts, which runs the instruction that it sends',
  'rwa:holder:set': RWAS,
  'rwa:income:claim': RWAS,
  'rwa:income:declare': RWAS,
  'rwa:message': 'test/e2e/finance.test.ts',
  'rwa:income:message': 'test/e2e/finance.test.ts',
  'rwa:redemption:settle': RWAS,
  'rwa:release': RWAS,
  'rwa:settle': RWAS,
  'rwa:watch': RWAS,
  'repo:message': 'test/e2e/finance.test.ts',
  'subscription:message': 'test/e2e/finance.test.ts',
  'repo:close-out': REPOS,
  'repo:default': REPOS,
  'repo:excess': REPOS,
  'repo:margin:call': 'docs/start/finance.md',
  'repo:margin:meet': 'docs/start/finance.md',
  'repo:repurchase': REPOS,
  'repo:watch': 'docs/start/finance.md',
  'subscription:approve': SUBSCRIPTIONS,
  'subscription:change': SUBSCRIPTIONS,
  'subscription:charge': SUBSCRIPTIONS,
  'subscription:keep': SUBSCRIPTIONS,
  'subscription:refund': SUBSCRIPTIONS,
  'subscription:resume': SUBSCRIPTIONS,
  'subscription:usage': SUBSCRIPTIONS,
  'subscription:watch': 'docs/start/finance.md',
  'conference:relay:watch': 'test/e2e/one-network.test.ts',
  'conference:watch': 'test/e2e/one-network.test.ts',
  'contract:alias:bind': 'test/unit/contracts/calls.test.ts, which binds by the instruction that it sends',
  'contract:bench': 'nowhere here: it prints times of this machine',
  'contract:build': 'nowhere here: the compiler is brought by npm install in the folder of a contract',
  'contract:code': 'test/unit/contracts/reads.test.ts, which asks the query behind it',
  'contract:upgrade': 'test/unit/contracts/calls.test.ts, which upgrades by the instruction that it sends',
  'localnet:reset': 'docs/start/local.md',
  'node:start': 'every network of the tests',
  'notify:remove': NOTIFY,
  'telemetry:watch': NOTIFY,
  'telemetry:peers': NOTIFY,
  'key:combine': 'test/e2e/drills/keys.test.ts',
  'key:link': 'test/cli/transactions.test.ts',
  'key:split': 'test/e2e/drills/keys.test.ts',
  'notify:test': NOTIFY,
  'operator:passkey:add': PASSKEYS,
  'operator:passkey:list': PASSKEYS,
  'operator:passkey:remove': PASSKEYS,
  mcp: 'test/cli/mcp.test.ts',
  quickstart: 'test/e2e/first-light.test.ts',
  'signer:start': 'test/e2e/signer.test.ts',
  'sink:postgres': 'test/e2e/sinks.test.ts',
  'webhook:forget': 'test/e2e/webhooks.test.ts',
  'webhook:listen': 'docs/start/webhooks.md',
  'webhook:redeliver': 'test/e2e/webhooks.test.ts',
  'staking:bond': STAKING,
  'staking:rebond': STAKING,
  'staking:unbond': STAKING,
  'staking:fund': STAKING,
  'staking:withdraw': STAKING,
  'staking:chill': STAKING,
  'staking:unjail': STAKING,
  'staking:nominate': STAKING,
  'staking:register': STAKING,
  'staking:rotate-key': STAKING,
  'staking:set': STAKING,
  'staking:attest': STAKING,
  'staking:payout': STAKING,
  'staking:slash:cancel': STAKING,
  'staking:history': STAKING,
  'staking:simulate': STAKING,
  'staking:show': STAKING,
  'staking:validators': STAKING,
  'staking:rewards': STAKING,
  'staking:slash:list': STAKING,
  'consensus:epoch': STAKING,
  'consensus:mode:stage': STAKING,
  'consensus:mode:cancel': STAKING,
}
