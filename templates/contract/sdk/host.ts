/** What the host offers; everything else is made of it. */
// @ts-ignore: decorator
@external('host1', 'input') export declare function hostInput(to: usize, offset: u32, length: u32): u32
// @ts-ignore: decorator
@external('host1', 'ret_read') export declare function hostReturned(to: usize, offset: u32, length: u32): u32
// @ts-ignore: decorator
@external('host1', 'context') export declare function hostContext(kind: u32, to: usize): u32
// @ts-ignore: decorator
@external('host1', 'state_get') export declare function hostStateGet(key: usize, keyLength: u32, to: usize, capacity: u32): i32
// @ts-ignore: decorator
@external('host1', 'state_set') export declare function hostStateSet(key: usize, keyLength: u32, value: usize, length: u32): u32
// @ts-ignore: decorator
@external('host1', 'state_del') export declare function hostStateDelete(key: usize, keyLength: u32): u32
// @ts-ignore: decorator
@external('host1', 'event') export declare function hostEvent(topic: usize, topicLength: u32, data: usize, length: u32): void
// @ts-ignore: decorator
@external('host1', 'log') export declare function hostLog(text: usize, length: u32): void
// @ts-ignore: decorator
@external('host1', 'output') export declare function hostOutput(from: usize, length: u32): void
// @ts-ignore: decorator
@external('host1', 'abort') export declare function hostAbort(code: u32, text: usize, length: u32): void
// @ts-ignore: decorator
@external('host1', 'attached') export declare function hostAttached(index: u32, to: usize, capacity: u32): i32
// @ts-ignore: decorator
@external('host1', 'call') export declare function hostCall(record: usize, length: u32): u32
// @ts-ignore: decorator
@external('host1', 'execute') export declare function hostExecute(instruction: usize, length: u32): u32
// @ts-ignore: decorator
@external('host1', 'query') export declare function hostQuery(record: usize, length: u32): i32
// @ts-ignore: decorator
@external('host1', 'hash') export declare function hostHash(kind: u32, from: usize, length: u32, to: usize): void
// @ts-ignore: decorator
@external('host1', 'verify') export declare function hostVerify(kind: u32, key: usize, keyLength: u32, message: usize, messageLength: u32, signature: usize, signatureLength: u32): u32
// @ts-ignore: decorator
@external('host1', 'num') export declare function hostNum(op: u32, a: usize, aLength: u32, b: usize, bLength: u32, to: usize, capacity: u32): i32
