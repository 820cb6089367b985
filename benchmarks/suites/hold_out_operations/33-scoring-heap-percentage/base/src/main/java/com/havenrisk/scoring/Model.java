package com.havenrisk.scoring;

public class Model {
    private final double[] weights = new double[512];

    public double score(double[] features) {
        double sum = 0;
        for (int i = 0; i < features.length; i++) {
            sum += features[i] * weights[i];
        }
        return sum;
    }
}
