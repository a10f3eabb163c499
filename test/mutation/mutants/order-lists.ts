import type { Mutant } from '../mutant.ts';

const tests = ['test/endpoints/orders.test.ts'];

export const orderLists: readonly Mutant[] = [
  {
    fault: 'the status filter of order lists is ignored',
    file: 'shared/orders/order-repository.ts',
    code: '(filter.status === undefined || order.status === filter.status) &&',
    mutant: '',
    tests,
  },
];
