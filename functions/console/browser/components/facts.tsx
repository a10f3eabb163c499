import type { ComponentChildren } from 'preact';

/** Names with what they are of one thing; those without a value are left out. */
export function Facts({ of: facts }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  const told = facts.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '');
  return (
    <dl class="facts">
      {told.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
