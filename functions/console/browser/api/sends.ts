import { useRef, useState } from 'preact/hooks';
import { type ArgsOf, type BodyOf, call, type OperationId } from './call.ts';
import { ApiFailure } from './failure.ts';
import { refresh } from './reads.ts';

/** An operation that changes something, and how far it is. */
export interface Send<Id extends OperationId> {
  /** The reply; undefined where it failed, or one is under way already. */
  send: (args: ArgsOf<Id>) => Promise<BodyOf<Id> | undefined>;
  sending: boolean;
  failure: ApiFailure | undefined;
  /** Sends the same once more. */
  retry: () => void;
  /** Takes the failure from the screen. */
  forget: () => void;
}

/**
 * Sends once, however often it is pressed; after it everything on the screen is read again, unless it `changes` nothing.
 * `done` runs before that.
 */
export function useSend<Id extends OperationId>(
  id: Id,
  { done, changes = true }: { done?: (body: BodyOf<Id>, args: ArgsOf<Id>) => void; changes?: boolean } = {},
): Send<Id> {
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  // State would come too late for a second press.
  const underWay = useRef(false);
  const last = useRef<ArgsOf<Id>>();

  async function send(args: ArgsOf<Id>): Promise<BodyOf<Id> | undefined> {
    if (underWay.current) return undefined;
    underWay.current = true;
    last.current = args;
    setSending(true);
    setFailure(undefined);
    try {
      const body = await call(id, args);
      done?.(body, args);
      if (changes) void refresh();
      return body;
    } catch (reason) {
      setFailure(reason instanceof ApiFailure ? reason : new ApiFailure({ code: 'internal_error' }));
      return undefined;
    } finally {
      underWay.current = false;
      setSending(false);
    }
  }
  const again = () => void (last.current && send(last.current));
  return { send, sending, failure, retry: again, forget: () => setFailure(undefined) };
}
