import { State } from '../../components/state.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { hintOf, texts } from './home-texts.ts';
import { isToDo, type Known, type Task, taskPath } from './paths.ts';

/** The steps to a sale, in their order. The first that is the seller's to do stands out. */
export function TaskList({
  tasks,
  products,
  isClosed,
}: {
  tasks: readonly Task[];
  products: readonly Known[];
  /** Whether admins closed the seller. */
  isClosed: boolean;
}) {
  const first = tasks.find(isToDo);
  return (
    <ol class="rows">
      {tasks.map((task) => {
        const { id, state, target_id: target } = task;
        const place = taskPath(task, products, isClosed);
        const name = wordOf('task', id);
        const product = id === 'product' ? undefined : products.find((one) => one.id === target)?.name;
        const hint = hintOf(task);
        return (
          <li key={id} data-task={id} data-state={state} data-target={target}>
            <div>
              <h3>{place !== undefined && !isToDo(task) ? <a href={place}>{name}</a> : name}</h3>
              {(hint || product) && (
                <p class="small">
                  {hint} {product && <SellerText text={product} />}
                </p>
              )}
            </div>
            <State of="task_state" value={state} />
            {place !== undefined && isToDo(task) && (
              <a class={task === first ? 'button' : 'button quiet'} href={place}>
                {(state === 'action' && texts.mend[id]) || texts.next[id]}
              </a>
            )}
          </li>
        );
      })}
    </ol>
  );
}
