/**
 * Loaded before a program (`node --import`): refuses every connection that leaves the machine, and notes it in the file
 * that VEIL_REFUSED names.
 */
import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';

const LOOPBACK = /^(localhost|127\.|::1$|\[::1\])/;

const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  const host = typeof first === 'object' ? (first.path ?? first.host ?? 'localhost') : 'localhost';
  if (!LOOPBACK.test(host) && !host.startsWith('/')) {
    appendFileSync(process.env.VEIL_REFUSED, `${host}\n`);
    throw new Error(`Refused to connect to ${host}`);
  }
  return connect.apply(this, args);
};
