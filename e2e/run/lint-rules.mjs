// Rules of this project alone, for oxlint: they read syntax, not types. `.oxlintrc.json` says where each holds.

/** Anything with a host name but this machine's own and XML name spaces. */
const FOREIGN_URL =
  /(https?|wss?):\/\/(?!(www\.w3\.org|ns\.adobe\.com|ns\.google\.com|localhost|127\.0\.0\.1)\b)[\w-]+(\.[\w-]+)+/;
const ROUTE = /(^|[^\w.])\/v1(\/|$)/;
const STATUS = /^[1-5]\d\d$/;

/** Reports each text, also within a template, for which `isFound` is true. */
const textRule = (isFound, message) => ({
  create: (context) => {
    const check = (node, text) => {
      if (typeof text === 'string' && isFound(text)) context.report({ node, message });
    };
    return {
      Literal: (node) => check(node, node.value),
      TemplateElement: (node) => check(node, node.value.raw),
    };
  },
});

const isStatus = (node) => node?.type === 'Literal' && STATUS.test(node.raw);

const noStatusLiterals = {
  create: (context) => {
    const message = 'Statuses live in shared/api/contract/errors.ts and routes.ts.';
    const check = (node) => {
      if (isStatus(node)) context.report({ node, message });
    };
    return {
      Property: (node) => {
        if (node.key.name === 'status') check(node.value);
      },
      CallExpression: (node) => {
        if (node.callee.property?.name === 'code') node.arguments.forEach(check);
      },
    };
  },
};

const noClock = {
  create: (context) => {
    const message = 'The clock is a port (System.nowMs): results must repeat.';
    const check = (node) => {
      if (node.callee.name === 'Date') context.report({ node, message });
    };
    return {
      NewExpression: (node) => {
        if (node.arguments.length === 0) check(node);
      },
      CallExpression: check,
    };
  },
};

export default {
  meta: { name: 'veil' },
  rules: {
    'no-clock': noClock,
    'no-foreign-urls': textRule((text) => FOREIGN_URL.test(text), 'This product talks to no other host.'),
    'no-routes': textRule(
      (text) => ROUTE.test(text),
      'Paths live in shared/api/contract/routes.ts; use the client.',
    ),
    'no-status-literals': noStatusLiterals,
  },
};
