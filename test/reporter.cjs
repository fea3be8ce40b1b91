// The usual output, then every skipped test with its reason, then one plain line for whoever reads the log.
const { Spec } = require('mocha').reporters;

module.exports = class Reporter extends Spec {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    runner.on('pending', (test) => skipped.push(test));
    runner.once('end', () => {
      const withoutReason = skipped.filter((test) => test.skipReason === undefined);
      for (const test of skipped)
        console.log(`skipped: ${test.fullTitle()}: ${test.skipReason ?? 'NO REASON GIVEN'}`);
      const failed = runner.stats.failures + withoutReason.length;
      if (withoutReason.length > 0) process.exitCode = 1;
      console.log(`${runner.stats.passes} passed, ${failed} failed`);
    });
  }
};
