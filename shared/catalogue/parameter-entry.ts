import type { ObjectClass } from './classes';

/** What a parameter accepts. Without a default, "not given" means something that no value says. */
export type ParameterValue =
  | { readonly type: 'flag'; readonly default?: boolean }
  | { readonly type: 'choice'; readonly of: readonly string[]; readonly default?: string }
  | {
      readonly type: 'number';
      readonly min: number;
      readonly max: number;
      readonly whole?: true;
      /** A key of `CLASSES`' entries: each class has its own. */
      readonly default?: number | 'threshold';
    }
  | {
      readonly type: 'text';
      /** In words, for messages. */
      readonly form: string;
      readonly pattern?: string;
      readonly maxLength?: number;
    };

/** One parameter of an upload: everything but the code that heeds it, and the words of the page. */
export interface ParameterEntry {
  readonly value: ParameterValue;
  /** For the API's description, and for the help of the command. `{objects}` are those of the class. */
  readonly description: string;
  /** The files whose options it is one of; `none`: it is about the notification, stands for other parameters, or has a form of its own. */
  readonly on: 'all' | 'images' | 'videos' | 'none';
  /** A flag for files and folders, also as environment variable and as key of `--config`. */
  readonly cli?: {
    /** Placeholder of its value in the help; a switch has none. */
    readonly value?: string;
    /** Where the flag has another name. */
    readonly name?: string;
  };
  /** Part of the page's settings: `checkbox` is shown among the checkboxes of its kind of file, `own` has its own control. */
  readonly control?: 'checkbox' | 'own';
  /** Its checkbox is shown among those of this section instead. */
  readonly section?: 'metadata';
  /** A class without which it has no effect. */
  readonly needs?: ObjectClass;
  /** Another name under which it is accepted. */
  readonly alias?: string;
  readonly isDeprecated?: true;
  /** May contain a secret, so no answer and no error message contains it. */
  readonly isSecret?: true;
  /** Names a person: options have it, and reports do not. */
  readonly isUnreported?: true;
}
